// Package direct takes and frees a lock in one function.
package direct

import (
	"context"
	"crypto/rand"
	"time"

	"github.com/redis/go-redis/v9"
)

func Run(ctx context.Context, rdb *redis.Client, job string, work func() error) error {
	token := rand.Text()
	ok, err := rdb.SetNX(ctx, "lock:job:"+job, token, 30*time.Second).Result()
	if err != nil || !ok {
		return err
	}
	defer rdb.Del(ctx, "lock:job:"+job)
	return work()
}
