// Package raw sends its commands by Do and Process.
package raw

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

var errBusy = errors.New("busy")

// SET NX in lower case, the options in another order, DEL through Do.
func mint(ctx context.Context, rdb *redis.Client, series string, fn func() error) error {
	key := "mint:" + series
	err := rdb.Do(ctx, "set", key, rand.Text(), "px", (30 * time.Second).Milliseconds(), "nx").Err()
	if errors.Is(err, redis.Nil) {
		return errBusy
	}
	if err != nil {
		return err
	}
	defer rdb.Do(ctx, "del", key) // want `unowned-release: `
	return fn()
}

// Typed on one side, raw on the other.
func burn(ctx context.Context, rdb redis.UniversalClient, series string, fn func() error) error {
	key := "burn:" + series
	if ok, err := rdb.SetNX(ctx, key, rand.Text(), time.Minute).Result(); err != nil || !ok {
		return errBusy
	}
	defer func() {
		_ = rdb.Do(ctx, "UNLINK", key).Err() // want `unowned-release: `
	}()
	return fn()
}

// Process with a command built in place; the reply of SETNX is a number.
type batchLock struct {
	rdb *redis.Client
	key string
}

func (l *batchLock) Lock(ctx context.Context) bool {
	n, err := l.rdb.Do(ctx, "SETNX", l.key, "1").Int()
	return err == nil && n == 1
}

func (l *batchLock) Unlock(ctx context.Context) error {
	return l.rdb.Process(ctx, redis.NewIntCmd(ctx, "Del", l.key)) // want `unowned-release: `
}

// NewCmd for the acquisition, kept and asked after Process.
func audit(ctx context.Context, rdb *redis.Client, year string, fn func()) error {
	key := "audit:" + year
	cmd := redis.NewStatusCmd(ctx, "SET", key, rand.Text(), "NX", "EX", 60)
	if err := rdb.Process(ctx, cmd); err != nil {
		return errBusy
	}
	fn()
	return rdb.Del(ctx, key).Err() // want `unowned-release: `
}
