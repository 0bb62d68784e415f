//go:build go1.22

// Package older is written for a Go without crypto/rand.Text.
package older

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
)

func withError(ctx context.Context, rdb *redis.Client, id string, work func() error) (int, error) {
	key := "older:lock:" + id
	if !rdb.SetNX(ctx, key, "1", time.Minute).Val() {
		return 0, nil
	}
	defer rdb.Del(ctx, key)
	return 1, work()
}

func without(ctx context.Context, rdb *redis.Client, id string, work func()) {
	key := "older:void:lock:" + id
	if rdb.SetNX(ctx, key, "1", time.Minute).Val() {
		work()
		rdb.Del(ctx, key)
	}
}
