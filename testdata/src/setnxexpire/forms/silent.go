package forms

import (
	"context"
	"crypto/rand"
	"time"

	"github.com/redis/go-redis/v9"
)

// An absolute deadline in one command.
func until(ctx context.Context, rdb *redis.Client, key string, end time.Time) (string, error) {
	return rdb.SetArgs(ctx, key, rand.Text(), redis.SetArgs{Mode: "NX", ExpireAt: end}).Result()
}

// Sub-second, and exact [A12].
func short(ctx context.Context, rdb *redis.Client, pump string) bool {
	return rdb.SetNX(ctx, "pump:"+pump, rand.Text(), 1900*time.Millisecond).Val()
}
