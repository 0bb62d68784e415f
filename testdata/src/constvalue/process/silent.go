package process

import (
	"context"
	"crypto/rand"
	"time"

	"github.com/redis/go-redis/v9"
)

// The process and something of this acquisition.
func digest(ctx context.Context, rdb *redis.Client, feed string, fn func() error) error {
	key, token := "digest:"+feed, processID+":"+rand.Text()
	ok, err := rdb.SetNX(ctx, key, token, time.Minute).Result()
	if err != nil || !ok {
		return errBusy
	}
	defer compareAndDelete.Run(context.WithoutCancel(ctx), rdb, []string{key}, token)
	return fn()
}

// A value that the caller supplies.
func relay(ctx context.Context, rdb *redis.Client, feed, token string, fn func() error) error {
	key := "relay:" + feed
	ok, err := rdb.SetNX(ctx, key, token, time.Minute).Result()
	if err != nil || !ok {
		return errBusy
	}
	defer compareAndDelete.Run(context.WithoutCancel(ctx), rdb, []string{key}, token)
	return fn()
}
