// Package several has locks that need the same imports, and one in each of several
// files.
package several

import (
	"context"

	"github.com/redis/go-redis/v9"
)

func one(ctx context.Context, rdb *redis.Client, id, token string, work func() error) error {
	ok, err := rdb.SetNX(ctx, "one:lock:"+id, token, 0).Result()
	if err != nil || !ok {
		return err
	}
	rdb.Expire(ctx, "one:lock:"+id, ttl)
	return work()
}

func two(ctx context.Context, rdb *redis.Client, id string, work func() error) error {
	if !rdb.SetNX(ctx, "two:lock:"+id, "1", ttl).Val() {
		return nil
	}
	defer rdb.Del(ctx, "two:lock:"+id)
	return work()
}

func three(ctx context.Context, rdb *redis.Client, id string, work func() error) error {
	ok, err := rdb.SetNX(ctx, "three:lock:"+id, "1", 0).Result()
	if err != nil || !ok {
		return err
	}
	defer rdb.Del(ctx, "three:lock:"+id)
	if err := rdb.Expire(ctx, "three:lock:"+id, ttl).Err(); err != nil {
		return err
	}
	return work()
}
