// Package callbacks acquires in a func literal that somebody else calls: the answer
// comes back as an error, a bool, or in a variable around the literal.
package callbacks

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

var errBusy = errors.New("busy")

func retry(f func() error) error               { return f() }
func poll(f func() (bool, error)) error        { _, err := f(); return err }
func timed(f func()) time.Duration             { start := time.Now(); f(); return time.Since(start) }
func step(ctx context.Context, s string) error { return ctx.Err() }

// The error of the callback tells who acquired.
func export(ctx context.Context, rdb *redis.Client, table string) error {
	key, token := "export:"+table, rand.Text()
	err := retry(func() error {
		ok, err := rdb.SetNX(ctx, key, token, time.Minute).Result()
		if err != nil {
			return err
		}
		if !ok {
			return errBusy
		}
		return nil
	})
	if err != nil {
		return err
	}
	defer rdb.Del(ctx, key) // want `unowned-release: `
	return step(ctx, table)
}

// Polled until it is acquired.
func reindex(ctx context.Context, rdb *redis.Client, index string) error {
	if err := poll(func() (bool, error) {
		return rdb.SetNX(ctx, "reindex:"+index, rand.Text(), time.Minute).Result()
	}); err != nil {
		return err
	}
	defer rdb.Del(ctx, "reindex:"+index) // want `unowned-release: `
	return step(ctx, index)
}

// A variable around the literal: freed by the holder alone, but bare.
func compact(ctx context.Context, rdb *redis.Client, shard string) error {
	var got bool
	timed(func() { got = rdb.SetNX(ctx, "compact:lock:"+shard, rand.Text(), time.Minute).Val() })
	if !got {
		return errBusy
	}
	defer rdb.Del(ctx, "compact:lock:"+shard) // want `unowned-release: `
	return step(ctx, shard)
}

// The same with SetArgs, whose error alone tells.
func vacuum(ctx context.Context, rdb *redis.Client, shard string) error {
	var err error
	timed(func() {
		err = rdb.SetArgs(ctx, "vacuum:lock:"+shard, rand.Text(), redis.SetArgs{Mode: "NX", TTL: time.Minute}).Err()
	})
	if err != nil {
		return err
	}
	defer rdb.Del(ctx, "vacuum:lock:"+shard) // want `unowned-release: `
	return step(ctx, shard)
}

// The defer stands before the check, but looks at it.
func archive(ctx context.Context, rdb *redis.Client, shard string) error {
	var got bool
	func() { got = rdb.SetNX(ctx, "archive:lock:"+shard, rand.Text(), time.Minute).Val() }()
	defer func() {
		if got {
			rdb.Del(ctx, "archive:lock:"+shard) // want `unowned-release: `
		}
	}()
	if !got {
		return errBusy
	}
	return step(ctx, shard)
}

// Two locks of one kind: the first is given back where the second is held.
func transfer(ctx context.Context, rdb *redis.Client, from, to string) error {
	if !rdb.SetNX(ctx, "lock:account:"+from, rand.Text(), time.Minute).Val() {
		return errBusy
	}
	if !rdb.SetNX(ctx, "lock:account:"+to, rand.Text(), time.Minute).Val() {
		rdb.Del(ctx, "lock:account:"+from) // want `unowned-release: `
		return errBusy
	}
	defer rdb.Del(ctx, "lock:account:"+from, "lock:account:"+to) // want `unowned-release: ` `unowned-release: `
	return step(ctx, from)
}
