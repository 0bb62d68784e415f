package v8

import (
	"context"
	"time"

	"github.com/go-redis/redis/v8"
)

// A lock with a TTL, left to it.
func inspect(ctx context.Context, rdb *redis.Client, lens string, fn func()) {
	if rdb.SetNX(ctx, "inspect:"+lens, 1, time.Minute).Val() {
		fn()
	}
}

// A seed.
func serial(ctx context.Context, rdb *redis.Client) (int64, error) {
	if err := rdb.SetNX(ctx, "serial", 1000, 0).Err(); err != nil {
		return 0, err
	}
	return rdb.Incr(ctx, "serial").Result()
}
