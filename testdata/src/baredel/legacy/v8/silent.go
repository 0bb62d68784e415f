package v8

import (
	"context"
	"time"

	"github.com/go-redis/redis/v8"
)

var compareAndDelete = redis.NewScript("if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0")

func count(ctx context.Context, rdb *redis.Client, shelf, token string, fn func()) error {
	key := "count:" + shelf
	ok, err := rdb.SetNX(ctx, key, token, time.Minute).Result()
	if err != nil || !ok {
		return errBusy
	}
	defer compareAndDelete.Run(ctx, rdb, []string{key}, token)
	fn()
	return nil
}

// A marker, given back when the handler failed.
func handle(ctx context.Context, rdb *redis.Client, event string, fn func() error) error {
	key := "event:" + event
	first, err := rdb.SetNX(ctx, key, 1, time.Hour).Result()
	if err != nil || !first {
		return err
	}
	if err := fn(); err != nil {
		rdb.Del(ctx, key)
		return err
	}
	return nil
}

// WATCH with MULTI.
func restock(ctx context.Context, rdb *redis.Client, key, token string) error {
	return rdb.Watch(ctx, func(tx *redis.Tx) error {
		if tx.Get(ctx, key).Val() != token {
			return nil
		}
		_, err := tx.TxPipelined(ctx, func(p redis.Pipeliner) error { return p.Del(ctx, key).Err() })
		return err
	}, key)
}
