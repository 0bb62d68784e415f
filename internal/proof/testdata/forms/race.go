package main

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/locklint/locklint/internal/proof/harness"
)

// The owner is compared, and the lock freed or renewed, in two commands.

func acquireRaced(ctx context.Context, rdb *redis.Client, id, token string) bool {
	return rdb.SetNX(ctx, "raced:lock:"+id, token, time.Hour).Val()
}

func releaseRaced(ctx context.Context, rdb *redis.Client, id, token string) error {
	cur, err := rdb.Get(ctx, "raced:lock:"+id).Result()
	if err != nil || cur != token {
		return err
	}
	return rdb.Del(ctx, "raced:lock:"+id).Err()
}

func dropRaced(ctx context.Context, rdb *redis.Client, id, token string) {
	if rdb.Get(ctx, "raced:lock:"+id).Val() == token {
		rdb.Del(ctx, "raced:lock:"+id)
	}
}

func extendRaced(ctx context.Context, rdb *redis.Client, id, token string, ttl time.Duration) (bool, error) {
	if v, err := rdb.Get(ctx, "raced:lock:"+id).Result(); err == nil && v == token {
		return rdb.Expire(ctx, "raced:lock:"+id, ttl).Result()
	}
	return false, nil
}

var raceForms = map[string]harness.Form{
	"releaseRaced": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(releaseRaced(ctx, s.Client(), s.ID, s.Token))
	},
	"dropRaced": func(ctx context.Context, s *harness.Scene) string {
		dropRaced(ctx, s.Client(), s.ID, s.Token)
		return harness.Show()
	},
	"extendRaced": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(extendRaced(ctx, s.Client(), s.ID, s.Token, 2*time.Hour))
	},
}
