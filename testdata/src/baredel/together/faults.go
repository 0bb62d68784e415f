// Package together takes several locks for one piece of work, and frees those it
// has when the next one is busy. That way out frees as bare as the usual one.
package together

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
)

const ttl = time.Minute

var errBusy = errors.New("busy")

// Two keys by name. The one call at the end frees two locks, which is two faults.
func transfer(ctx context.Context, rdb *redis.Client, from, to string, fn func()) error {
	first, second := "lock:purse:"+from, "lock:purse:"+to
	ok, err := rdb.SetNX(ctx, first, rand.Text(), ttl).Result()
	if err != nil || !ok {
		return errBusy
	}
	ok, err = rdb.SetNX(ctx, second, rand.Text(), ttl).Result()
	if err != nil || !ok {
		rdb.Del(ctx, first) // want `unowned-release: `
		return errBusy
	}
	defer rdb.Del(ctx, first, second) // want `unowned-release: ` `unowned-release: `
	fn()
	return nil
}

// The keys so far, in a slice.
func merge(ctx context.Context, rdb *redis.Client, chests []string, fn func()) error {
	keys := make([]string, 0, len(chests))
	for _, chest := range chests {
		key := fmt.Sprintf("lock:chest:%s", chest)
		if !rdb.SetNX(ctx, key, rand.Text(), ttl).Val() {
			if len(keys) > 0 {
				rdb.Del(ctx, keys...) // want `unowned-release: `
			}
			return errBusy
		}
		keys = append(keys, key)
	}
	defer rdb.Del(ctx, keys...) // want `unowned-release: `
	fn()
	return nil
}

// One defer for both ways out; it stands before the loop and is run after it.
func audit(ctx context.Context, rdb *redis.Client, vaults []string, fn func()) error {
	var held []string
	defer func() {
		for _, key := range held {
			rdb.Del(ctx, key) // want `unowned-release: `
		}
	}()
	for _, vault := range vaults {
		key := "lock:vault:" + vault
		ok, err := rdb.SetNX(ctx, key, rand.Text(), ttl).Result()
		if err != nil || !ok {
			return errBusy
		}
		held = append(held, key)
	}
	fn()
	return nil
}

// Any one of several: a slot, which is a lock of its own.
func withSlot(ctx context.Context, rdb *redis.Client, slots int, fn func()) bool {
	for i := range slots {
		key := fmt.Sprintf("counter:%d", i)
		if rdb.SetNX(ctx, key, rand.Text(), ttl).Val() {
			defer rdb.Del(ctx, key) // want `unowned-release: `
			fn()
			return true
		}
	}
	return false
}

// One lock an item, inside a literal that is called in the loop.
func each(ctx context.Context, rdb *redis.Client, coins []string, fn func(string)) {
	for _, coin := range coins {
		func() {
			key := "lock:coin:" + coin
			if !rdb.SetNX(ctx, key, rand.Text(), ttl).Val() {
				return
			}
			defer rdb.Del(ctx, key) // want `unowned-release: `
			fn(coin)
		}()
	}
}
