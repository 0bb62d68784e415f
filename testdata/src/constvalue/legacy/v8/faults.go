// Package v8 holds a few faults with github.com/go-redis/redis/v8.
package v8

import (
	"context"
	"crypto/rand"
	"errors"
	"os"
	"time"

	"github.com/go-redis/redis/v8"
)

var (
	errBusy          = errors.New("busy")
	compareAndDelete = redis.NewScript("if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0")
)

// C1.
func moor(ctx context.Context, rdb *redis.Client, ship string, fn func() error) error {
	key := "moor:" + ship
	ok, err := rdb.SetNX(ctx, key, "1", time.Minute).Result() // want `weak-token: `
	if err != nil || !ok {
		return errBusy
	}
	defer rdb.Del(ctx, key)
	return fn()
}

// C2.
type berthLock struct{ rdb redis.UniversalClient }

func (l *berthLock) Lock(ctx context.Context, berth string) bool {
	host, _ := os.Hostname()
	return l.rdb.SetNX(ctx, "berth:"+berth, host, time.Minute).Val() // want `weak-token: `
}

func (l *berthLock) Unlock(ctx context.Context, berth string) {
	host, _ := os.Hostname()
	compareAndDelete.Run(ctx, l.rdb, []string{"berth:" + berth}, host)
}

// C5.
func dock(ctx context.Context, rdb redis.Cmdable, ship string, fn func()) {
	if rdb.SetNX(ctx, "dock:"+ship, rand.Text(), time.Minute).Val() { // want `lost-token: `
		fn()
		rdb.Del(ctx, "dock:"+ship)
	}
}
