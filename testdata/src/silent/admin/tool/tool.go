// Package tool is an operator's program: it acquires nothing.
package tool

import (
	"context"
	"fmt"

	"github.com/redis/go-redis/v9"
)

func Unlock(ctx context.Context, rdb *redis.Client, job string) error {
	return rdb.Del(ctx, "lock:job:"+job).Err()
}

func Purge(ctx context.Context, rdb *redis.Client) (int, error) {
	n := 0
	for it := rdb.Scan(ctx, 0, "lock:*", 100).Iterator(); it.Next(ctx); n++ {
		if err := rdb.Del(ctx, it.Val()).Err(); err != nil {
			return n, fmt.Errorf("purge: %w", err)
		}
	}
	return n, nil
}
