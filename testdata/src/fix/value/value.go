// Package value stores the same value for every holder.
package value

import (
	"context"
	"errors"
	"os"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"
)

const lease = time.Minute

var errBusy = errors.New("busy")

func work(ctx context.Context) error { return ctx.Err() }

const compareAndDelete = `if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) end return 0`

// All three faults of one lock.
func all(ctx context.Context, rdb *redis.Client, id string) error {
	key := "all:lock:" + id
	ok, err := rdb.SetNX(ctx, key, "locked", 0).Result()
	if err != nil || !ok {
		return errBusy
	}
	rdb.Expire(ctx, key, lease)
	defer rdb.Del(ctx, key)
	return work(ctx)
}

// The release compares, with the constant.
func compared(ctx context.Context, rdb *redis.Client, id string) error {
	const held = "held"
	key := "compared:lock:" + id
	if !rdb.SetNX(ctx, key, held, lease).Val() {
		return errBusy
	}
	defer rdb.Eval(ctx, compareAndDelete, []string{key}, held)
	return work(ctx)
}

// The host, and the import that goes with it.
func host(ctx context.Context, rdb *redis.Client, id string) error {
	key := "host:lock:" + id
	owner, _ := os.Hostname()
	if !rdb.SetNX(ctx, key, owner, lease).Val() {
		return errBusy
	}
	defer rdb.Del(ctx, key)
	return work(ctx)
}

// The clock, in a retry loop; the release comes after the loop.
func clock(ctx context.Context, rdb *redis.Client, id string) error {
	key := "clock:lock:" + id
	for {
		ok, err := rdb.SetNX(ctx, key, strconv.FormatInt(time.Now().Unix(), 10), lease).Result()
		if err != nil {
			return err
		}
		if ok {
			break
		}
		time.Sleep(time.Second)
	}
	defer rdb.Del(ctx, key)
	return work(ctx)
}

// A lock for each turn of a loop.
func each(ctx context.Context, rdb *redis.Client, ids []string) {
	for _, id := range ids {
		key := "each:lock:" + id
		if rdb.SetNX(ctx, key, 1, lease).Val() {
			_ = work(ctx)
			rdb.Del(ctx, key)
		}
	}
}

// Made inside the call and lost.
func lost(ctx context.Context, rdb *redis.Client, id string, next func() int64) error {
	key := "lost:lock:" + id
	ok, err := rdb.SetNX(ctx, key, time.Now().UnixNano(), lease).Result()
	if err != nil || !ok {
		return errBusy
	}
	defer func() { _ = rdb.Del(ctx, key).Err() }()
	return work(ctx)
}

// What handles the error of the second command frees the lock too: both go.
func givenUp(ctx context.Context, rdb *redis.Client, id string) error {
	key := "up:lock:" + id
	ok, err := rdb.SetNX(ctx, key, "1", 0).Result()
	if err != nil || !ok {
		return errBusy
	}
	if err := rdb.Expire(ctx, key, lease).Err(); err != nil {
		rdb.Del(ctx, key)
		return err
	}
	defer rdb.Del(ctx, key)
	return work(ctx)
}

// The value is declared beside the key.
func beside(ctx context.Context, rdb *redis.Client, id string) error {
	key, now := "beside:lock:"+id, time.Now().Unix()
	if !rdb.SetNX(ctx, key, now, lease).Val() {
		return errBusy
	}
	defer rdb.Eval(ctx, compareAndDelete, []string{key}, now)
	return work(ctx)
}

// The value is part of the key: all who want the lock store the same.
func partOfKey(ctx context.Context, rdb *redis.Client, order string) error {
	key := "order:lock:" + order
	if !rdb.SetNX(ctx, key, order, lease).Val() {
		return errBusy
	}
	defer rdb.Del(ctx, key)
	return work(ctx)
}

// Its callers pass the part of the key, and need not know.
func partPassed(ctx context.Context, rdb *redis.Client) error { return partOfKey(ctx, rdb, "17") }
