package main

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/locklint/locklint/internal/proof/harness"
)

// A wrapper that takes the expiry, called with none.

type cache struct{ rdb *redis.Client }

func (c *cache) SetIfAbsent(ctx context.Context, key string, v any, ttl time.Duration) (bool, error) {
	return c.rdb.SetNX(ctx, key, v, ttl).Result()
}

func (c *cache) Touch(ctx context.Context, key string, ttl time.Duration) error {
	return c.rdb.Expire(ctx, key, ttl).Err()
}

func wrapped(ctx context.Context, c *cache, id, token string) (bool, error) {
	key := "wrapped:lock:" + id
	ok, err := c.SetIfAbsent(ctx, key, token, 0)
	if err != nil || !ok {
		return ok, err
	}
	if err := c.Touch(ctx, key, time.Hour); err != nil {
		return false, err
	}
	return true, work(ctx)
}

// It takes the value too.
func wrappedValue(ctx context.Context, s *harness.Scene) string {
	c := &cache{s.Client()}
	key := "wrappedValue:lock:" + s.ID
	ok, err := c.SetIfAbsent(ctx, key, "1", time.Hour)
	if err != nil || !ok {
		return harness.Show(ok, err)
	}
	defer c.rdb.Del(ctx, key)
	return harness.Show(work(ctx))
}

var wrapperForms = map[string]harness.Form{
	"wrapped": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(wrapped(ctx, &cache{s.Client()}, s.ID, s.Token))
	},
	"wrappedValue": wrappedValue,
}
