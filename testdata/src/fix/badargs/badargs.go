// Package badargs sends SETNX with options, which the server refuses.
package badargs

import (
	"context"

	"github.com/redis/go-redis/v9"
)

func onlyErr(ctx context.Context, rdb *redis.Client, key, token string) bool {
	return rdb.Do(ctx, "SETNX", key, token, "EX", 10).Err() == nil
}

func ignored(ctx context.Context, rdb *redis.Client, key, token string) {
	rdb.Do(ctx, "setnx", key, token, "NX", "PX", 10000)
}

func asked(ctx context.Context, rdb *redis.Client, key, token string, secs int) (bool, error) {
	return rdb.Do(ctx, "SETNX", key, token, "EX", secs).Bool()
}
