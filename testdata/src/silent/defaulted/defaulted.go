// Package defaulted has parameters that are given a constant only where the caller
// left them out. The caller's value is not known.
package defaulted

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

var errBusy = errors.New("busy")

var unlock = redis.NewScript(`if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) end return 0`)

// Near-miss of no-ttl: what is below 0 becomes 0, all else stays.
func export(ctx context.Context, rdb *redis.Client, day string, ttl time.Duration, work func() error) error {
	if ttl < 0 {
		ttl = 0
	}
	key, token := "export:lock:"+day, rand.Text()
	ok, err := rdb.SetNX(ctx, key, token, ttl).Result()
	if err != nil || !ok {
		return errBusy
	}
	defer unlock.Run(context.WithoutCancel(ctx), rdb, []string{key}, token)
	return work()
}

// Near-miss of no-ttl: options with a default.
func reindex(ctx context.Context, rdb *redis.Client, args *redis.SetArgs, work func() error) error {
	if args == nil {
		args = &redis.SetArgs{Mode: "NX"}
	}
	const key = "reindex:lock"
	token := rand.Text()
	if err := rdb.SetArgs(ctx, key, token, *args).Err(); err != nil {
		return errBusy
	}
	defer unlock.Run(context.WithoutCancel(ctx), rdb, []string{key}, token)
	return work()
}

// Near-miss of weak-token: callers bring their own token, but for one.
func invoice(ctx context.Context, rdb *redis.Client, order, token string, work func() error) error {
	if token == "" {
		token = "anonymous"
	}
	key := "invoice:lock:" + order
	ok, err := rdb.SetNX(ctx, key, token, time.Minute).Result()
	if err != nil || !ok {
		return errBusy
	}
	defer unlock.Run(context.WithoutCancel(ctx), rdb, []string{key}, token)
	return work()
}
