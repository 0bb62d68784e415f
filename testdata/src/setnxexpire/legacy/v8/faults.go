// Package v8 holds a few faults with github.com/go-redis/redis/v8.
package v8

import (
	"context"
	"errors"
	"time"

	"github.com/go-redis/redis/v8"
)

var errBusy = errors.New("busy")

// A1.
func polish(ctx context.Context, rdb *redis.Client, lens string, fn func() error) error {
	key := "polish:" + lens
	ok, err := rdb.SetNX(ctx, key, "1", 0).Result() // want `setnx-expire: `
	if err != nil || !ok {
		return errBusy
	}
	rdb.Expire(ctx, key, time.Minute)
	return fn()
}

// A3.
func lockGrinder(ctx context.Context, rdb redis.UniversalClient, grinder string) (bool, error) {
	pipe := rdb.Pipeline()
	won := pipe.SetNX(ctx, "lock:grinder:"+grinder, 1, 0) // want `setnx-expire: `
	pipe.Expire(ctx, "lock:grinder:"+grinder, time.Minute)
	_, err := pipe.Exec(ctx)
	return won.Val(), err
}

// A8.
type locks struct{ rdb redis.Cmdable }

func (l *locks) Lock(ctx context.Context, key string) bool {
	return l.rdb.SetNX(ctx, key, "1", 0).Val() // want `no-ttl: `
}

func (l *locks) Unlock(ctx context.Context, key string) { l.rdb.Del(ctx, key) }

// A14.
func coat(ctx context.Context, rdb *redis.Client, lens string) error {
	return rdb.Do(ctx, "SETNX", "coat:"+lens, 1, "EX", 10).Err() // want `bad-args: `
}

// A15.
func cut(ctx context.Context, rdb *redis.Client, lens string, fn func()) {
	if rdb.Do(ctx, "SET", "cut:"+lens, 1, "NX").Err() == nil { // want `no-ttl: `
		fn()
		rdb.Del(ctx, "cut:"+lens)
	}
}
