package testfiles

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
)

// What a test does with its locks is not reported unless -tests is set.
func withLock(ctx context.Context, rdb *redis.Client, fn func()) {
	if rdb.SetNX(ctx, "lock:test", "1", 0).Val() {
		rdb.Expire(ctx, "lock:test", time.Minute)
		defer rdb.Del(ctx, "lock:test")
		fn()
	}
}
