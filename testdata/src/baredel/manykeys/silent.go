package manykeys

import (
	"context"
	"crypto/rand"
	"time"

	"github.com/redis/go-redis/v9"
)

var compareAndDelete = redis.NewScript(`if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) end return 0`)

// A list without the lock.
func wipe(ctx context.Context, rdb *redis.Client, id string, fn func() error) error {
	key, token := "wipe:lock:"+id, rand.Text()
	if ok, err := rdb.SetNX(ctx, key, token, time.Minute).Result(); err != nil || !ok {
		return errBusy
	}
	defer compareAndDelete.Run(context.WithoutCancel(ctx), rdb, []string{key}, token)
	stale := []string{"wipe:rows:" + id, "wipe:state:" + id}
	if err := rdb.Del(ctx, stale...).Err(); err != nil {
		return err
	}
	return fn()
}

// A list that nobody can resolve.
func forget(ctx context.Context, rdb *redis.Client, pattern string) error {
	keys, err := rdb.Keys(ctx, pattern).Result()
	if err != nil || len(keys) == 0 {
		return err
	}
	return rdb.Del(ctx, keys...).Err()
}

// Every lock is freed with its own token.
func lockPair(ctx context.Context, rdb *redis.Client, a, b string, fn func()) {
	tokens := map[string]string{}
	for _, id := range []string{min(a, b), max(a, b)} {
		key, token := "pair:lock:"+id, rand.Text()
		if rdb.SetNX(ctx, key, token, time.Minute).Val() {
			tokens[key] = token
		}
	}
	if len(tokens) == 2 {
		fn()
	}
	for key, token := range tokens {
		compareAndDelete.Run(ctx, rdb, []string{key}, token)
	}
}
