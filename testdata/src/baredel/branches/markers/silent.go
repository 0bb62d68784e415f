// Package markers has the branches of branches around markers, where one branch
// keeps the key.
package markers

import (
	"context"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

// Freed where it failed; where it succeeded the key gets the result.
func quote(ctx context.Context, rdb *redis.Client, trip string, ask func() (string, error)) (string, error) {
	key := "quoted:" + trip
	ok, err := rdb.SetNX(ctx, key, "running", time.Minute).Result()
	if err != nil {
		return "", err
	}
	if !ok {
		return rdb.Get(ctx, key).Result()
	}
	price, err := ask()
	if err != nil {
		rdb.Del(ctx, key)
		return "", err
	}
	return price, rdb.Set(ctx, key, price, time.Hour).Err()
}

// A throttle that is lifted where the message did not go out.
func text(ctx context.Context, rdb *redis.Client, phone string, send func() error) error {
	key := "text:limit:" + phone
	ok, err := rdb.SetNX(ctx, key, "1", time.Minute).Result()
	if err != nil {
		return err
	}
	if !ok {
		return errors.New("too often")
	}
	if err := send(); err != nil {
		rdb.Del(ctx, key)
		return err
	}
	return nil
}

// After a panic only.
func depart(ctx context.Context, rdb *redis.Client, train string, fn func()) {
	key := "departed:" + train
	if ok, _ := rdb.SetNX(ctx, key, time.Now().Unix(), time.Hour).Result(); !ok {
		return
	}
	defer func() {
		if r := recover(); r != nil {
			rdb.Del(ctx, key)
		}
	}()
	fn()
}

// A reminder a threshold: forgotten again when the value is back above it, or when
// it could not be sent.
func remindKey(tank string, litres string) string { return "reminded:" + tank + ":" + litres }

func remind(ctx context.Context, rdb *redis.Client, tank string, full []string, low string, send func() bool) {
	for _, litres := range full {
		_ = rdb.Del(ctx, remindKey(tank, litres)).Err()
	}
	key := remindKey(tank, low)
	fresh, err := rdb.SetNX(ctx, key, "1", 0).Result()
	if err != nil || !fresh {
		return
	}
	if !send() {
		_ = rdb.Del(ctx, key).Err()
	}
}
