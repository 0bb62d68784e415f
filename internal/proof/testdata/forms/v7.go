package main

import (
	"context"
	"time"

	"github.com/go-redis/redis/v7"

	"github.com/locklint/locklint/internal/proof/harness"
)

func clientV7(rdb *redis.Client, id string) (bool, error) {
	key := "clientV7:lock:" + id
	ok, err := rdb.SetNX(key, "1", 0).Result()
	if err != nil || !ok {
		return ok, err
	}
	rdb.Expire(key, time.Hour)
	defer rdb.Del(key)
	return true, nil
}

var v7Forms = map[string]harness.Form{
	"clientV7": func(ctx context.Context, s *harness.Scene) string {
		rdb := redis.NewClient(&redis.Options{Dialer: s.Dial, MaxRetries: -1})
		return harness.Show(clientV7(rdb, s.ID))
	},
}
