package v7

import (
	"time"

	"github.com/go-redis/redis/v7"
)

var compareAndDelete = redis.NewScript("if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0")

func count(rdb *redis.Client, shelf, token string, fn func()) error {
	key := "count:" + shelf
	ok, err := rdb.SetNX(key, token, time.Minute).Result()
	if err != nil || !ok {
		return errBusy
	}
	defer compareAndDelete.Run(rdb, []string{key}, token)
	fn()
	return nil
}

// A marker, given back when the handler failed.
func handle(rdb *redis.Client, event string, fn func() error) error {
	key := "event:" + event
	first, err := rdb.SetNX(key, 1, time.Hour).Result()
	if err != nil || !first {
		return err
	}
	if err := fn(); err != nil {
		rdb.Del(key)
		return err
	}
	return nil
}

// WATCH with MULTI.
func restock(rdb *redis.Client, key, token string) error {
	return rdb.Watch(func(tx *redis.Tx) error {
		if tx.Get(key).Val() != token {
			return nil
		}
		_, err := tx.TxPipelined(func(p redis.Pipeliner) error { return p.Del(key).Err() })
		return err
	}, key)
}
