// Package script acquires, renews and frees by scripts; one of them does not
// compare.
package script

import (
	"context"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

var (
	acquire = redis.NewScript(`return redis.call("set", KEYS[1], ARGV[1], "NX", "PX", ARGV[2])`)
	renew   = redis.NewScript(`if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("pexpire", KEYS[1], ARGV[2]) end return 0`)
	release = redis.NewScript(`return redis.call("del", KEYS[1])`)
)

type Lock struct {
	rdb        redis.UniversalClient
	key, token string
}

func (l *Lock) Acquire(ctx context.Context, ttl time.Duration) (bool, error) {
	err := acquire.Run(ctx, l.rdb, []string{l.key}, l.token, ttl.Milliseconds()).Err()
	if errors.Is(err, redis.Nil) {
		return false, nil
	}
	return err == nil, err
}

func (l *Lock) Renew(ctx context.Context, ttl time.Duration) (bool, error) {
	return renew.Run(ctx, l.rdb, []string{l.key}, l.token, ttl.Milliseconds()).Bool()
}

func (l *Lock) Release(ctx context.Context) error {
	return release.Run(ctx, l.rdb, []string{l.key}).Err()
}
