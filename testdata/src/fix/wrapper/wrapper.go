// Package wrapper has helpers that take the expiry: the call that gave none is put
// right.
package wrapper

import (
	"context"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

type cache struct{ rdb *redis.Client }

func (c *cache) SetIfAbsent(ctx context.Context, key string, v any, ttl time.Duration) (bool, error) {
	return c.rdb.SetNX(ctx, key, v, ttl).Result()
}

func (c *cache) Touch(ctx context.Context, key string, ttl time.Duration) error {
	return c.rdb.Expire(ctx, key, ttl).Err()
}

var errBusy = errors.New("busy")

func refresh(ctx context.Context, c *cache, id, token string, fn func() error) error {
	key := "refresh:lock:" + id
	ok, err := c.SetIfAbsent(ctx, key, token, 0)
	if err != nil || !ok {
		return errBusy
	}
	if err := c.Touch(ctx, key, time.Minute); err != nil {
		return err
	}
	return fn()
}

// The helper takes the value too.
func rebuild(ctx context.Context, c *cache, id string, fn func() error) error {
	key := "rebuild:lock:" + id
	ok, err := c.SetIfAbsent(ctx, key, "1", time.Minute)
	if err != nil || !ok {
		return errBusy
	}
	defer c.rdb.Del(ctx, key)
	return fn()
}

// A helper that deletes whatever it is given, and one that extends it.
func (c *cache) Delete(ctx context.Context, key string) error { return c.rdb.Del(ctx, key).Err() }

func drop(ctx context.Context, rdb redis.UniversalClient, key string) { rdb.Del(ctx, key) }

func viaMethod(ctx context.Context, c *cache, id string, fn func() error) error {
	key := "via:lock:" + id
	ok, err := c.SetIfAbsent(ctx, key, "1", time.Minute)
	if err != nil || !ok {
		return errBusy
	}
	if err := fn(); err != nil {
		_ = c.Delete(ctx, key)
		return err
	}
	for range 3 {
		if err := c.Touch(ctx, key, time.Minute); err != nil {
			return err
		}
	}
	return c.Delete(ctx, key)
}

func viaFunc(ctx context.Context, rdb *redis.Client, id, token string, fn func() error) error {
	key := "func:lock:" + id
	if !rdb.SetNX(ctx, key, token, time.Minute).Val() {
		return errBusy
	}
	defer drop(context.WithoutCancel(ctx), rdb, key)
	return fn()
}

// A helper that hands on the keys it is given.
func (c *cache) Remove(ctx context.Context, keys ...string) (int64, error) {
	return c.rdb.Del(ctx, keys...).Result()
}

func viaKeys(ctx context.Context, c *cache, id, token string, fn func() error) (int64, error) {
	key := "keys:lock:" + id
	if !c.rdb.SetNX(ctx, key, token, time.Minute).Val() {
		return 0, errBusy
	}
	if err := fn(); err != nil {
		return 0, err
	}
	return c.Remove(ctx, key)
}
