package main

import (
	"context"
	"time"

	"github.com/go-redis/redis/v8"

	"github.com/locklint/locklint/internal/proof/harness"
)

func clientV8(ctx context.Context, rdb *redis.Client, id string) (bool, error) {
	key := "clientV8:lock:" + id
	ok, err := rdb.SetNX(ctx, key, "1", 0).Result()
	if err != nil || !ok {
		return ok, err
	}
	rdb.Expire(ctx, key, time.Hour)
	defer rdb.Del(ctx, key)
	return true, work(ctx)
}

var v8Forms = map[string]harness.Form{
	"clientV8": func(ctx context.Context, s *harness.Scene) string {
		rdb := redis.NewClient(&redis.Options{Dialer: s.Dial, MaxRetries: -1})
		return harness.Show(clientV8(ctx, rdb, s.ID))
	},
}
