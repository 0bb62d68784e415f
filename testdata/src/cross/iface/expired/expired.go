//locklint:test passes=setnxexpire

// Package expired gives no TTL to an interface of its own.
package expired

import (
	"context"
	"errors"
	"time"
)

var errBusy = errors.New("busy")

type Cache interface {
	SetIfAbsent(ctx context.Context, key string, value any, ttl time.Duration) (bool, error)
	Touch(ctx context.Context, key string, ttl time.Duration) error
	Unlink(ctx context.Context, keys ...string) error
}

// A second command.
func pour(ctx context.Context, c Cache, tap string, fn func() error) error {
	key := "pour:lock:" + tap
	ok, err := c.SetIfAbsent(ctx, key, tap, 0) // want `setnx-expire: `
	if err != nil || !ok {
		return errBusy
	}
	if err := c.Touch(ctx, key, time.Minute); err != nil {
		return err
	}
	return fn()
}

// No expiry at all.
type tapLock struct{ cache Cache }

func (l *tapLock) Lock(ctx context.Context, tap, who string) (bool, error) {
	return l.cache.SetIfAbsent(ctx, "tap:"+tap, who, 0) // want `no-ttl: `
}

func (l *tapLock) Unlock(ctx context.Context, tap string) error {
	return l.cache.Unlink(ctx, "tap:"+tap)
}

// A record that stays.
func patron(ctx context.Context, c Cache, seat, name string) (bool, error) {
	return c.SetIfAbsent(ctx, "patron:"+seat, name, 0)
}
