// Package callbacks acquires in func literals that others call.
package callbacks

import (
	"context"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

const ttl = time.Minute

var errBusy = errors.New("busy")

func work(ctx context.Context) error { return ctx.Err() }

// It calls what it is given, by way of another.
func timed(f func() error) error {
	start := time.Now()
	defer func() { _ = time.Since(start) }()
	return thrice(f)
}

func thrice(f func() error) (err error) {
	for range 3 {
		if err = f(); err == nil {
			break
		}
	}
	return err
}

func attempts(ctx context.Context, rdb *redis.Client, id string) error {
	key := "attempts:lock:" + id
	err := timed(func() error {
		ok, err := rdb.SetNX(ctx, key, "1", ttl).Result()
		if err == nil && !ok {
			err = errBusy
		}
		return err
	})
	if err != nil {
		return err
	}
	defer rdb.Del(ctx, key)
	return work(ctx)
}
