package places

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
)

// The same without a lock name: a banner that is put up and taken down.
func banner(ctx context.Context, rdb *redis.Client, id string, fn func()) error {
	key := "banner:" + id
	if err := rdb.SetNX(ctx, key, "1", time.Minute).Err(); err != nil {
		return err
	}
	defer rdb.Del(ctx, key)
	fn()
	return nil
}

// A cooldown with a lock in its name, that nobody ends.
func cool(ctx context.Context, rdb *redis.Client, author string) bool {
	return rdb.SetNX(ctx, "lock:cooldown:"+author, 1, time.Minute).Val()
}

// A constant that becomes the result.
func compute(ctx context.Context, rdb *redis.Client, sum string, fn func() string) (string, error) {
	key := "sum:" + sum
	ok, err := rdb.SetNX(ctx, key, "running", time.Minute).Result()
	if err != nil {
		return "", err
	}
	if !ok {
		return rdb.Get(ctx, key).Result()
	}
	v := fn()
	return v, rdb.Set(ctx, key, v, time.Hour).Err()
}

// A payment that is due under an amount of its own; taken back where the order
// could not be written.
func due(ctx context.Context, rdb *redis.Client, amount string, write func() error) error {
	key := "due:" + amount
	if !rdb.SetNX(ctx, key, "open", time.Hour).Val() {
		return errBusy
	}
	if err := write(); err != nil {
		rdb.Del(ctx, key)
		return err
	}
	return nil
}
