// Package branches takes the lock in one branch of the code and frees it in
// another place, but always where the work succeeded too.
package branches

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	"github.com/redis/go-redis/v9"
)

const ttl = time.Minute

var errBusy = errors.New("busy")

// Freed where the work failed and where it succeeded. The result has a key of its
// own, so this one marks nothing.
func quote(ctx context.Context, rdb *redis.Client, trip, token string, ask func() (string, error)) (string, error) {
	lock, result := "quote:lock:"+trip, "quote:"+trip
	ok, err := rdb.SetNX(ctx, lock, token, ttl).Result()
	if err != nil || !ok {
		return "", errBusy
	}
	price, err := ask()
	if err != nil {
		rdb.Del(ctx, lock) // want `unowned-release: `
		return "", err
	}
	rdb.Set(ctx, result, price, time.Hour)
	rdb.Del(ctx, lock) // want `unowned-release: `
	return price, nil
}

// The defer stands in an else: it is run by the winner only.
func board(ctx context.Context, rdb *redis.Client, train, token string, fn func() error) error {
	key := "train:batch_lock:" + train
	locked, err := rdb.SetNX(ctx, key, token, ttl).Result()
	if err != nil {
		log.Print(err) // Redis is down: go on without a lock
	} else if !locked {
		return nil
	} else {
		defer rdb.Del(context.WithoutCancel(ctx), key) // want `unowned-release: `
	}
	return fn()
}

// The retry loop breaks off with the lock, and the check stands behind it.
func couple(ctx context.Context, rdb *redis.Client, wagon, token string, fn func() error) error {
	var ok bool
	var err error
	key := "wagon:" + wagon
	for range 3 {
		if ok, err = rdb.SetNX(ctx, key, token, ttl).Result(); err != nil {
			return err
		}
		if ok {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if !ok {
		return errBusy
	}
	defer rdb.Del(ctx, key) // want `unowned-release: `
	return fn()
}

// A switch on the outcome, and the free behind it.
func uncouple(ctx context.Context, rdb *redis.Client, wagon, token string, fn func() error) error {
	key := "uncouple:" + wagon
	ok, err := rdb.SetNX(ctx, key, token, ttl).Result()
	switch {
	case err != nil:
		return err
	case !ok:
		return errBusy
	}
	err = fn()
	if _, delErr := rdb.Del(ctx, key).Result(); delErr != nil { // want `unowned-release: `
		log.Print(delErr)
	}
	return err
}

// In one case of a switch, with nothing before or behind it.
func signal(ctx context.Context, rdb redis.Cmdable, box, state, token string, answer func(int)) {
	switch state {
	case "free":
		key := fmt.Sprintf("signal-lock:%s", box)
		got, err := rdb.SetNX(ctx, key, token, ttl).Result()
		if err != nil {
			answer(500)
			return
		}
		if !got {
			answer(409)
			return
		}
		defer rdb.Del(context.WithoutCancel(ctx), key) // want `unowned-release: `
		answer(200)
	default:
		answer(400)
	}
}

// The defer asks for the lock, but the work is done without it too.
func shunt(ctx context.Context, rdb *redis.Client, yard, token string, fn func() error) error {
	key := "yard:" + yard + ":lock"
	got, err := rdb.SetNX(ctx, key, token, ttl).Result()
	if err != nil {
		log.Print(err)
	}
	defer func() {
		if got {
			_ = rdb.Del(ctx, key) // want `unowned-release: `
		}
	}()
	return fn()
}

// Freed in any case, even by the one who did not get it and waits for the answer
// of the other.
func delay(ctx context.Context, rdb *redis.Client, train, token string, compute func() string) (string, error) {
	key := "delay:lock:" + train
	got, err := rdb.SetNX(ctx, key, token, ttl).Result()
	if err != nil {
		log.Print(err)
	}
	defer rdb.Del(ctx, key) // want `release-unheld: `
	if !got && err == nil {
		for range 3 {
			time.Sleep(10 * time.Millisecond)
			if v, err := rdb.Get(ctx, "delay:"+train).Result(); err == nil {
				return v, nil
			}
		}
	}
	return compute(), nil
}

// After a panic as well as without one: the condition is on the log only.
func couplings(ctx context.Context, rdb *redis.Client, train, token string, fn func()) {
	key := "couplings:lock:" + train
	if ok, _ := rdb.SetNX(ctx, key, token, ttl).Result(); !ok {
		return
	}
	defer func() {
		if r := recover(); r != nil {
			log.Print(r)
		}
		rdb.Del(ctx, key) // want `unowned-release: `
	}()
	fn()
}
