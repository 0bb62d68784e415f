// Package v8 holds a few faults with github.com/go-redis/redis/v8.
package v8

import (
	"context"
	"errors"
	"time"

	"github.com/go-redis/redis/v8"
)

var errBusy = errors.New("busy")

// D1, deferred.
func bill(ctx context.Context, rdb *redis.Client, order string, fn func() error) error {
	key := "bill:" + order
	ok, err := rdb.SetNX(ctx, key, order, time.Minute).Result()
	if err != nil || !ok {
		return errBusy
	}
	defer rdb.Del(ctx, key) // want `unowned-release: `
	return fn()
}

// D2.
func ship(ctx context.Context, rdb redis.UniversalClient, order string, fn func() error) error {
	key := "ship:lock:" + order
	ok, err := rdb.SetNX(ctx, key, order, time.Minute).Result()
	defer rdb.Unlink(ctx, key) // want `release-unheld: `
	if err != nil || !ok {
		return errBusy
	}
	return fn()
}

// D10, and D4 in place of a plain Del.
type locks struct{ rdb redis.Cmdable }

func (l *locks) Lock(ctx context.Context, key string) bool {
	return l.rdb.SetNX(ctx, key, "1", time.Minute).Val()
}

func (l *locks) Unlock(ctx context.Context, key string) { l.rdb.Del(ctx, key) } // want `unowned-release: `

type owned struct {
	rdb        *redis.Client
	key, owner string
}

func (o *owned) Acquire(ctx context.Context) bool {
	return o.rdb.SetNX(ctx, o.key, o.owner, time.Minute).Val()
}

func (o *owned) Release(ctx context.Context) {
	if o.rdb.Get(ctx, o.key).Val() == o.owner {
		o.rdb.Del(ctx, o.key) // want `get-del-race: `
	}
}

// D5.
var free = redis.NewScript("return redis.call('del', KEYS[1])")

func pick(ctx context.Context, rdb *redis.Client, bin string, fn func()) {
	if rdb.SetNX(ctx, "bin:lock:"+bin, "1", time.Minute).Val() {
		fn()
		free.Run(ctx, rdb, []string{"bin:lock:" + bin}) // want `unowned-release: `
	}
}

// D1 through Do.
func pack(ctx context.Context, rdb *redis.Client, box string, fn func()) {
	if rdb.Do(ctx, "SET", "box:"+box, box, "EX", 60, "NX").Err() == nil {
		fn()
		rdb.Do(ctx, "DEL", "box:"+box) // want `unowned-release: `
	}
}
