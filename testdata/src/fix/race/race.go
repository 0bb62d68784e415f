// Package race compares the owner and frees or renews the lock in two commands.
package race

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
)

func acquireLock(ctx context.Context, rdb *redis.Client, id, token string) bool {
	return rdb.SetNX(ctx, "race:lock:"+id, token, time.Minute).Val()
}

func releaseLock(ctx context.Context, rdb *redis.Client, id, token string) error {
	cur, err := rdb.Get(ctx, "race:lock:"+id).Result()
	if err != nil || cur != token {
		return err
	}
	return rdb.Del(ctx, "race:lock:"+id).Err()
}

func dropLock(ctx context.Context, rdb *redis.Client, id, token string) {
	if rdb.Get(ctx, "race:lock:"+id).Val() == token {
		rdb.Del(ctx, "race:lock:"+id)
	}
}

func extendLock(ctx context.Context, rdb *redis.Client, id, token string, ttl time.Duration) (bool, error) {
	if v, err := rdb.Get(ctx, "race:lock:"+id).Result(); err == nil && v == token {
		return rdb.Expire(ctx, "race:lock:"+id, ttl).Result()
	}
	return false, nil
}

func freeLock(ctx context.Context, rdb *redis.Client, id, token string) {
	if v, err := rdb.Get(ctx, "race:lock:"+id).Result(); err == nil && v == token {
		_ = rdb.Unlink(ctx, "race:lock:"+id).Err()
	}
}

// The branch does more.
func giveUpLock(ctx context.Context, rdb *redis.Client, id, token string) (mine bool) {
	if owner := rdb.Get(ctx, "race:lock:"+id).Val(); owner == token {
		rdb.Del(ctx, "race:lock:"+id)
		mine = true
	}
	return mine
}

// Not without its comment.
func quitLock(ctx context.Context, rdb *redis.Client, id, token string) {
	if rdb.Get(ctx, "race:lock:"+id).Val() == token { // still ours
		rdb.Del(ctx, "race:lock:"+id)
	}
}
