// Package multi queues SETNX and EXPIRE in MULTI.
package multi

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
)

func TryLock(ctx context.Context, rdb *redis.Client, job, token string) (bool, error) {
	key := "lock:job:" + job
	var won *redis.BoolCmd
	_, err := rdb.TxPipelined(ctx, func(p redis.Pipeliner) error {
		won = p.SetNX(ctx, key, token, 0)
		p.Expire(ctx, key, 30*time.Second)
		return nil
	})
	return won.Val(), err
}
