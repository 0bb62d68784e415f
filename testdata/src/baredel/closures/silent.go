package closures

import (
	"context"
	"crypto/rand"
	"time"

	"github.com/redis/go-redis/v9"
)

var release = redis.NewScript(`if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) else return 0 end`)

// The returned unlock function compares.
func lockBasket(ctx context.Context, rdb *redis.Client, basket string) (func() error, error) {
	key, token := "basket:"+basket+":lock", rand.Text()
	ok, err := rdb.SetNX(ctx, key, token, 15*time.Second).Result()
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, errBusy
	}
	return func() error {
		return release.Run(context.WithoutCancel(ctx), rdb, []string{key}, token).Err()
	}, nil
}

// A delivery marker that is given back only when the handler failed; the literal
// reads the named result.
func deliver(ctx context.Context, rdb *redis.Client, id string) (err error) {
	key := "delivery:" + id
	first, err := rdb.SetNX(ctx, key, time.Now().Unix(), 24*time.Hour).Result()
	if err != nil || !first {
		return err
	}
	defer func() {
		if err != nil {
			rdb.Del(context.WithoutCancel(ctx), key)
		}
	}()
	return run(ctx, id)
}

// Given back on a panic only.
func consume(ctx context.Context, rdb *redis.Client, id string) error {
	key := "consumed:" + id
	if ok, err := rdb.SetNX(ctx, key, 1, 24*time.Hour).Result(); err != nil || !ok {
		return err
	}
	defer func() {
		if r := recover(); r != nil {
			rdb.Del(context.WithoutCancel(ctx), key)
			panic(r)
		}
	}()
	return run(ctx, id)
}

// Given back unless the last line was reached.
func charge(ctx context.Context, rdb *redis.Client, invoice string) error {
	key := "charged:" + invoice
	if ok, err := rdb.SetNX(ctx, key, 1, 24*time.Hour).Result(); err != nil || !ok {
		return err
	}
	done := false
	defer func() {
		if !done {
			rdb.Del(context.WithoutCancel(ctx), key)
		}
	}()
	if err := run(ctx, invoice); err != nil {
		return err
	}
	done = true
	return nil
}
