//locklint:test passes=baredel,constvalue,setnxexpire

// Package payments frees the lock of a claim and does not import the package that
// acquires it.
package payments

import (
	"context"

	"github.com/redis/go-redis/v9"
)

func Release(ctx context.Context, rdb *redis.Client, key string) error {
	return rdb.Del(ctx, key).Err()
}
