// Package helper hides one of the two commands in a helper [A5].
package helper

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

var errBusy = errors.New("busy")

func lockKey(id string) string { return "lock:harvest:" + id }

// The Expire is in a function.
func touch(ctx context.Context, rdb redis.Cmdable, key string) { rdb.Expire(ctx, key, time.Minute) }

func harvest(ctx context.Context, rdb *redis.Client, field string, fn func() error) error {
	ok, err := rdb.SetNX(ctx, lockKey(field), rand.Text(), 0).Result() // want `setnx-expire: `
	if err != nil || !ok {
		return errBusy
	}
	touch(ctx, rdb, lockKey(field))
	return fn()
}

// The Expire is two levels down, in a method.
type farm struct{ rdb *redis.Client }

func (f *farm) expire(ctx context.Context, key string, ttl time.Duration) error {
	return f.rdb.Expire(ctx, key, ttl).Err()
}

func (f *farm) keep(ctx context.Context, key string) error {
	return f.expire(ctx, key, 45*time.Second)
}

func (f *farm) Irrigate(ctx context.Context, field string, fn func() error) error {
	key := "irrigate:" + field
	if !f.rdb.SetNX(ctx, key, rand.Text(), 0).Val() { // want `setnx-expire: `
		return errBusy
	}
	if err := f.keep(ctx, key); err != nil {
		return err
	}
	return fn()
}

// The create is in a pass-through, so the caller that supplies the 0 and a lock
// key is the root.
type cache struct{ rdb redis.UniversalClient }

func (c *cache) SetIfAbsent(ctx context.Context, key string, v any, ttl time.Duration) (bool, error) {
	return c.rdb.SetNX(ctx, key, v, ttl).Result()
}

func (c *cache) Touch(ctx context.Context, key string, ttl time.Duration) error {
	return c.rdb.Expire(ctx, key, ttl).Err()
}

func (c *cache) Delete(ctx context.Context, key string) error { return c.rdb.Del(ctx, key).Err() }

func prune(ctx context.Context, c *cache, orchard string, fn func() error) error {
	key := "prune:lock:" + orchard
	ok, err := c.SetIfAbsent(ctx, key, rand.Text(), 0) // want `setnx-expire: `
	if err != nil || !ok {
		return errBusy
	}
	if err := c.Touch(ctx, key, time.Minute); err != nil {
		return err
	}
	return fn()
}

// The same with no expiry at all, and a free [A8].
func graft(ctx context.Context, c *cache, tree string, fn func() error) error {
	key := "graft:lock:" + tree
	ok, err := c.SetIfAbsent(ctx, key, rand.Text(), 0) // want `no-ttl: `
	if err != nil || !ok {
		return errBusy
	}
	defer c.Delete(ctx, key)
	return fn()
}

// A helper that leaves the ttl out is the root itself: no caller can mend it.
func setOnce(ctx context.Context, rdb *redis.Client, key, value string) bool {
	ok, err := rdb.SetNX(ctx, key, value, 0).Result() // want `setnx-expire: `
	if err != nil || !ok {
		return false
	}
	rdb.Expire(ctx, key, time.Minute)
	return true
}

func mow(ctx context.Context, rdb *redis.Client, meadow string, fn func()) {
	if setOnce(ctx, rdb, "mow:lock:"+meadow, "1") {
		fn()
	}
}
