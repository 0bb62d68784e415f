//locklint:test passes=baredel,constvalue,setnxexpire

// Package left acquires what package right frees. No import path joins them, so
// modular analysis cannot see both, and is silent.
package left

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
)

func Acquire(ctx context.Context, rdb *redis.Client, pier string) (bool, error) {
	return rdb.SetNX(ctx, "pier:lock:"+pier, "1", time.Minute).Result()
}
