// Package suggested has rewrites that hold a decision: they are offered with
// -fixes=all only.
package suggested

import (
	"context"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

var errBusy = errors.New("busy")

const compareAndDelete = `if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) end return 0`

func work(ctx context.Context) error { return ctx.Err() }

// Work stands between: the lock would live less long from then on.
func between(ctx context.Context, rdb *redis.Client, id, token string) error {
	key := "between:lock:" + id
	if !rdb.SetNX(ctx, key, token, 0).Val() {
		return errBusy
	}
	if err := work(ctx); err != nil {
		return err
	}
	return rdb.Expire(ctx, key, time.Hour).Err()
}

// The deadline may be past.
func until(ctx context.Context, rdb *redis.Client, id, token string, end time.Time) error {
	key := "until:lock:" + id
	if !rdb.SetNX(ctx, key, token, 0).Val() {
		return errBusy
	}
	rdb.Expire(ctx, key, time.Until(end))
	return work(ctx)
}

// Losers extend it too.
func losers(ctx context.Context, rdb *redis.Client, id, token string) error {
	lockKey := "losers:lock:" + id
	ok, err := rdb.SetNX(ctx, lockKey, token, 0).Result()
	rdb.Expire(ctx, lockKey, time.Minute)
	if err != nil || !ok {
		return errBusy
	}
	return work(ctx)
}

// The error alone is looked at, so that losers go on.
func onlyErr(ctx context.Context, rdb *redis.Client, id, token string) error {
	lockKey := "err:lock:" + id
	if err := rdb.SetNX(ctx, lockKey, token, 0).Err(); err != nil {
		return err
	}
	rdb.Expire(ctx, lockKey, time.Minute)
	defer rdb.Eval(ctx, compareAndDelete, []string{lockKey}, token)
	return work(ctx)
}

func onlyErrKept(ctx context.Context, rdb *redis.Client, id, token string) error {
	lockKey := "errkept:lock:" + id
	_, err := rdb.SetNX(ctx, lockKey, token, 0).Result()
	if err != nil {
		return err
	}
	rdb.Expire(ctx, lockKey, time.Minute)
	defer rdb.Eval(ctx, compareAndDelete, []string{lockKey}, token)
	return work(ctx)
}

// No expiry at all is one of the choices.
func maybe(ctx context.Context, rdb *redis.Client, id, token string, ttl time.Duration) (bool, error) {
	key := "maybe:lock:" + id
	ok, err := rdb.SetNX(ctx, key, token, 0).Result()
	if err != nil || !ok {
		return false, err
	}
	if ttl > 0 {
		if err := rdb.Expire(ctx, key, ttl).Err(); err != nil {
			return false, err
		}
	}
	return true, nil
}

// Nothing but the order of the two says that it is a lock.
func plain(ctx context.Context, rdb *redis.Client, id, token string) (bool, error) {
	pipe := rdb.Pipeline()
	got := pipe.SetNX(ctx, "plain:"+id, token, 0)
	pipe.Expire(ctx, "plain:"+id, time.Minute)
	_, err := pipe.Exec(ctx)
	return got.Val(), err
}

// Commands are returned.
func freedCmd(ctx context.Context, rdb *redis.Client, id, token string) *redis.IntCmd {
	key := "freedCmd:lock:" + id
	if !rdb.SetNX(ctx, key, token, time.Minute).Val() {
		return redis.NewIntResult(0, errBusy)
	}
	_ = ctx.Err()
	return rdb.Del(ctx, key)
}

func renewedCmd(ctx context.Context, rdb *redis.Client, id, token string, step func() bool) *redis.BoolCmd {
	key := "renewedCmd:lock:" + id
	if !rdb.SetNX(ctx, key, token, time.Minute).Val() {
		return redis.NewBoolResult(false, errBusy)
	}
	defer rdb.Del(ctx, key)
	for {
		if step() {
			return rdb.Expire(ctx, key, time.Minute)
		}
		rdb.Expire(ctx, key, time.Minute)
	}
}
