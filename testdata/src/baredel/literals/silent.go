package literals

import (
	"context"
	"crypto/rand"
	"time"

	"github.com/redis/go-redis/v9"
)

var release = redis.NewScript(`if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) end return 0`)

// The literal with a parameter frees what the lock protects, and not the lock.
func thresh(ctx context.Context, rdb *redis.Client, field string, fn func()) error {
	drop := func(k string) { rdb.Del(ctx, k) }
	key, token := "thresh:lock:"+field, rand.Text()
	if !rdb.SetNX(ctx, key, token, ttl).Val() {
		return errBusy
	}
	defer release.Run(context.WithoutCancel(ctx), rdb, []string{key}, token)
	drop("thresh:rows:" + field)
	fn()
	return nil
}

// A throttle around handlers: never freed, the TTL is the point.
func notTooOften(rdb *redis.Client) func(Handler) Handler {
	return func(next Handler) Handler {
		return func(ctx context.Context, user string) {
			if rdb.SetNX(ctx, "throttle:"+user, "1", time.Second).Val() {
				next(ctx, user)
			}
		}
	}
}

// Idempotency around handlers: taken back after a server error, written over with
// the end otherwise.
func onlyOnce(rdb *redis.Client, status func() int) func(Handler) Handler {
	return func(next Handler) Handler {
		return func(ctx context.Context, user string) {
			key := "request:" + user
			ok, err := rdb.SetNX(ctx, key, "processing", time.Hour).Result()
			if err != nil || !ok {
				return
			}
			next(ctx, user)
			if status() >= 500 {
				rdb.Del(ctx, key)
				return
			}
			rdb.Set(ctx, key, "done", 24*time.Hour)
		}
	}
}
