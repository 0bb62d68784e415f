// Package nottl takes a lock that never expires and is released by hand [A8]. A
// holder that is killed keeps it for ever.
package nottl

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

var (
	errBusy          = errors.New("busy")
	compareAndDelete = redis.NewScript(`if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) end return 0`)
)

// The release is right, and a kill -9 skips it.
func ferment(ctx context.Context, rdb *redis.Client, vat string, fn func() error) error {
	key, token := "vat:"+vat, rand.Text()
	ok, err := rdb.SetNX(ctx, key, token, 0).Result() // want `no-ttl: `
	if err != nil || !ok {
		return errBusy
	}
	defer compareAndDelete.Run(context.WithoutCancel(ctx), rdb, []string{key}, token)
	return fn()
}

// Freed bare after the work.
func bottle(ctx context.Context, rdb redis.Cmdable, line string, fn func()) error {
	if !rdb.SetNX(ctx, "bottle:"+line, "1", 0).Val() { // want `no-ttl: `
		return errBusy
	}
	fn()
	return rdb.Del(ctx, "bottle:"+line).Err()
}

// A method pair.
type cellarLock struct {
	rdb *redis.Client
	key string
}

func (l *cellarLock) Lock(ctx context.Context) (bool, error) {
	return l.rdb.SetNX(ctx, l.key, "1", 0).Result() // want `no-ttl: `
}

func (l *cellarLock) Unlock(ctx context.Context) error { return l.rdb.Del(ctx, l.key).Err() }

// The unlock function is returned.
func lockCask(ctx context.Context, rdb *redis.Client, cask string) (func(), error) {
	key, token := "lock:cask:"+cask, rand.Text()
	for {
		ok, err := rdb.SetNX(ctx, key, token, 0).Result() // want `no-ttl: `
		if err != nil {
			return nil, err
		}
		if ok {
			return func() { compareAndDelete.Run(context.WithoutCancel(ctx), rdb, []string{key}, token) }, nil
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// Lock and Unlock helpers that take the key: the fault is in the helper.
func acquire(ctx context.Context, rdb redis.UniversalClient, name string) bool {
	return rdb.SetNX(ctx, name, 1, 0).Val() // want `no-ttl: `
}

func release(ctx context.Context, rdb redis.UniversalClient, name string) { rdb.Del(ctx, name) }

func label(ctx context.Context, rdb redis.UniversalClient, bottle string, fn func()) {
	if acquire(ctx, rdb, "label:"+bottle) {
		defer release(ctx, rdb, "label:"+bottle)
		fn()
	}
}

// A generic receiver.
type exclusive[T any] struct {
	rdb   *redis.Client
	fetch func(context.Context, string) (T, error)
}

func (e *exclusive[T]) Do(ctx context.Context, id string) (v T, err error) {
	ok, err := e.rdb.SetNX(ctx, "exclusive:"+id, id, 0).Result() // want `no-ttl: `
	if err != nil || !ok {
		return v, errBusy
	}
	defer e.rdb.Del(ctx, "exclusive:"+id)
	return e.fetch(ctx, id)
}
