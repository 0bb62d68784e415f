// Package pipeline queues SETNX and EXPIRE in a pipeline.
package pipeline

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
)

func TryLock(ctx context.Context, rdb *redis.Client, job, token string) (bool, error) {
	pipe := rdb.Pipeline()
	won := pipe.SetNX(ctx, "lock:job:"+job, token, 0)
	pipe.Expire(ctx, "lock:job:"+job, 30*time.Second)
	_, err := pipe.Exec(ctx)
	return won.Val(), err
}
