// Package cache uses the same commands on data.
package cache

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
)

// A condition or none: it is a cached page.
func evict(ctx context.Context, rdb *redis.Client, page, etag string) {
	rdb.DelExArgs(ctx, "page:"+page, redis.DelExArgs{})
	rdb.DelExArgs(ctx, "page:"+page+":etag", redis.DelExArgs{Mode: "IFNE", MatchValue: etag})
	rdb.Expire(ctx, "page:"+page+":vary", 0)
}

// A set-if-absent cache, whose entry another function lets go.
func remember(ctx context.Context, rdb *redis.Client, user, avatar string) error {
	return rdb.SetNX(ctx, "avatar:"+user, avatar, time.Hour).Err()
}

func replace(ctx context.Context, rdb *redis.Client, user string) error {
	return rdb.Set(ctx, "avatar:"+user, "", time.Second).Err()
}

// A job key that is claimed, then holds the result: it is written over on purpose.
func once(ctx context.Context, rdb *redis.Client, job string, fn func() (string, error)) error {
	key := "job:" + job
	ok, err := rdb.SetNX(ctx, key, "running", time.Minute).Result()
	if err != nil || !ok {
		return err
	}
	result, err := fn()
	if err != nil {
		return err
	}
	return rdb.Set(ctx, key, result, 24*time.Hour).Err()
}
