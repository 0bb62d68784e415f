//locklint:test passes=constvalue

// Package valued gives constants to an interface of its own.
package valued

import (
	"context"
	"errors"
	"time"
)

var errBusy = errors.New("busy")

type Cache interface {
	AddIfAbsent(ctx context.Context, key string, value any, ttl time.Duration) (bool, error)
	CompareAndDelete(ctx context.Context, key string, value any) (bool, error)
	Remove(ctx context.Context, keys ...string) error
}

// Compares the constant with itself.
func roast(ctx context.Context, c Cache, lot string, fn func() error) error {
	key := "roast:lock:" + lot
	ok, err := c.AddIfAbsent(ctx, key, "roasting", time.Minute) // want `weak-token: `
	if err != nil || !ok {
		return errBusy
	}
	defer c.CompareAndDelete(context.WithoutCancel(ctx), key, "roasting")
	return fn()
}

// A method pair with a bare free.
type grinderLock struct{ cache Cache }

func (l *grinderLock) TryLock(ctx context.Context, grinder string) (bool, error) {
	return l.cache.AddIfAbsent(ctx, "grinder:"+grinder, true, time.Minute) // want `weak-token: `
}

func (l *grinderLock) Unlock(ctx context.Context, grinder string) error {
	return l.cache.Remove(ctx, "grinder:"+grinder)
}

// A token of the caller.
func grind(ctx context.Context, c Cache, lot, token string, fn func() error) error {
	key := "grind:lock:" + lot
	ok, err := c.AddIfAbsent(ctx, key, token, time.Minute)
	if err != nil || !ok {
		return errBusy
	}
	defer c.CompareAndDelete(context.WithoutCancel(ctx), key, token)
	return fn()
}

// A marker.
func tasted(ctx context.Context, c Cache, lot string) (bool, error) {
	return c.AddIfAbsent(ctx, "tasted:"+lot, true, 24*time.Hour)
}
