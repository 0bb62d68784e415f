//locklint:test passes=baredel,constvalue,setnxexpire

// Package right frees what package left acquires.
package right

import (
	"context"

	"github.com/redis/go-redis/v9"
)

func Release(ctx context.Context, rdb *redis.Client, pier string) error {
	return rdb.Del(ctx, "pier:lock:"+pier).Err()
}
