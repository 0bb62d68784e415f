package layers

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
)

// Through the same interface, with the caller's token.
func glaze(ctx context.Context, c Cache, tray, token string, fn func() error) error {
	key := "tray:" + tray + ":lock"
	ok, err := c.SetNX(ctx, key, []byte(token), ttl)
	if err != nil || !ok {
		return errBusy
	}
	defer func() { _ = c.Del(ctx, key) }()
	return fn()
}

// A constant in a throttle and in a request that is done once: nobody asks whose
// they are.
func notTooOften(rdb *redis.Client, next Handler) Handler {
	return func(ctx context.Context, user string) {
		if rdb.SetNX(ctx, "repeat:"+user, "1", time.Second).Val() {
			next(ctx, user)
		}
	}
}

func onlyOnce(rdb *redis.Client, status func() int, next Handler) Handler {
	return func(ctx context.Context, user string) {
		key := "order:" + user
		if ok, err := rdb.SetNX(ctx, key, "processing", time.Hour).Result(); err != nil || !ok {
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

// A constant through the breaker, taken back where the order could not be written.
func order(ctx context.Context, r *Redis, id string, write func() error) error {
	key := "ordered:" + id
	ok, err := r.SetNXEx(ctx, key, "1", 3600)
	if err != nil || !ok {
		return err
	}
	if err := write(); err != nil {
		_ = r.Del(ctx, key)
		return err
	}
	return nil
}
