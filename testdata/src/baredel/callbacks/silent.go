package callbacks

import (
	"context"
	"crypto/rand"
	"time"

	"github.com/redis/go-redis/v9"
)

var release = redis.NewScript(`if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) end return 0`)

// A marker that is set in a callback and given back where the work failed.
func welcome(ctx context.Context, rdb *redis.Client, user string) error {
	key := "welcomed:" + user
	fresh := false
	if err := retry(func() (err error) {
		fresh, err = rdb.SetNX(ctx, key, 1, time.Hour).Result()
		return err
	}); err != nil || !fresh {
		return err
	}
	if err := step(ctx, user); err != nil {
		rdb.Del(ctx, key)
		return err
	}
	return nil
}

// Set in a callback, given back by it.
func greet(ctx context.Context, rdb *redis.Client, user string) error {
	return retry(func() error {
		key := "greeted:" + user
		if ok, err := rdb.SetNX(ctx, key, 1, time.Hour).Result(); err != nil || !ok {
			return err
		}
		if err := step(ctx, user); err != nil {
			rdb.Del(ctx, key)
			return err
		}
		return nil
	})
}

// Acquired in a callback and released with a compare.
func rebuild(ctx context.Context, rdb *redis.Client, index string) error {
	key, token := "rebuild:"+index, rand.Text()
	if err := poll(func() (bool, error) { return rdb.SetNX(ctx, key, token, time.Minute).Result() }); err != nil {
		return err
	}
	defer release.Run(context.WithoutCancel(ctx), rdb, []string{key}, token)
	return step(ctx, index)
}
