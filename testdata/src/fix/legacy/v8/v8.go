// Package v8 has the client under its older path.
package v8

import (
	"context"
	"time"

	"github.com/go-redis/redis/v8"
)

func run(ctx context.Context, rdb *redis.Client, id string, work func() error) error {
	key := "run:lock:" + id
	ok, err := rdb.SetNX(ctx, key, "1", 0).Result()
	if err != nil || !ok {
		return err
	}
	rdb.Expire(ctx, key, time.Minute)
	defer rdb.Del(ctx, key)
	return work()
}
