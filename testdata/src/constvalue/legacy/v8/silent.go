package v8

import (
	"context"
	"crypto/rand"
	"time"

	"github.com/go-redis/redis/v8"
)

// A fresh token, kept and compared.
func load(ctx context.Context, rdb *redis.Client, ship string, fn func() error) error {
	key, token := "load:"+ship, rand.Text()
	ok, err := rdb.SetNX(ctx, key, token, time.Minute).Result()
	if err != nil || !ok {
		return errBusy
	}
	defer compareAndDelete.Run(ctx, rdb, []string{key}, token)
	return fn()
}

// A marker.
func departed(ctx context.Context, rdb *redis.Client, ship string) bool {
	return rdb.SetNX(ctx, "departed:"+ship, 1, time.Hour).Val()
}
