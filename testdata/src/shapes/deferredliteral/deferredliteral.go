// Package deferredliteral frees a lock in a deferred function literal.
package deferredliteral

import (
	"context"
	"crypto/rand"
	"log"
	"time"

	"github.com/redis/go-redis/v9"
)

func Run(ctx context.Context, rdb *redis.Client, job string, work func() error) error {
	key, token := "lock:job:"+job, rand.Text()
	ok, err := rdb.SetNX(ctx, key, token, 30*time.Second).Result()
	if err != nil || !ok {
		return err
	}
	defer func() {
		if err := rdb.Del(context.WithoutCancel(ctx), key).Err(); err != nil {
			log.Print(err)
		}
	}()
	return work()
}
