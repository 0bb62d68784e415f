// Package renew extends locks by a bare Expire.
package renew

import (
	"context"
	"errors"
	"log"
	"time"

	"github.com/redis/go-redis/v9"
)

const lease = time.Minute

var errBusy = errors.New("busy")

func work(ctx context.Context) error { return ctx.Err() }

func ticker(ctx context.Context, rdb *redis.Client, id, token string) error {
	key := "ticker:lock:" + id
	if !rdb.SetNX(ctx, key, token, lease).Val() {
		return errBusy
	}
	defer rdb.Del(ctx, key)
	go func() {
		t := time.NewTicker(lease / 3)
		defer t.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-t.C:
				ok, err := rdb.Expire(ctx, key, lease).Result()
				log.Print(ok, err)
			}
		}
	}()
	return work(ctx)
}

func sums(ctx context.Context, rdb *redis.Client, id string) error {
	key := "sums:lock:" + id
	if !rdb.SetNX(ctx, key, 1, lease).Val() {
		return errBusy
	}
	defer rdb.Del(ctx, key)
	for ctx.Err() == nil {
		if err := rdb.PExpire(ctx, key, lease+time.Second).Err(); err != nil {
			return err
		}
		if rdb.ExpireAt(ctx, key, time.Now().Add(lease)).Val() {
			return work(ctx)
		}
	}
	return nil
}

// Nothing but the ticker shows that it is a lock.
func alone(ctx context.Context, rdb *redis.Client, reef, token string, fn func()) {
	key := "survey:" + reef
	if ok, err := rdb.SetNX(ctx, key, token, lease).Result(); err != nil || !ok {
		return
	}
	stop := make(chan struct{})
	defer close(stop)
	go func() {
		tick := time.NewTicker(lease / 3)
		defer tick.Stop()
		for {
			select {
			case <-stop:
				return
			case <-tick.C:
				rdb.Expire(ctx, key, lease)
			}
		}
	}()
	fn()
}
