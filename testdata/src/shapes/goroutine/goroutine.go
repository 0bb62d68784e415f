// Package goroutine frees a lock in the goroutine that does the work, and renews
// it in another.
package goroutine

import (
	"context"
	"crypto/rand"
	"time"

	"github.com/redis/go-redis/v9"
)

const ttl = 30 * time.Second

func Run(ctx context.Context, rdb *redis.Client, job string, work func()) bool {
	key, token := "lock:job:"+job, rand.Text()
	if !rdb.SetNX(ctx, key, token, ttl).Val() {
		return false
	}
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		for ctx.Err() == nil {
			time.Sleep(ttl / 3)
			rdb.Expire(ctx, key, ttl)
		}
	}()
	go func() {
		defer rdb.Del(context.WithoutCancel(ctx), key)
		defer cancel()
		work()
	}()
	return true
}
