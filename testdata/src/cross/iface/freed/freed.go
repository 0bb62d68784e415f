//locklint:test passes=baredel

// Package freed imports no Redis: it knows its client as an interface of its own.
package freed

import (
	"context"
	"errors"
	"time"
)

var errBusy = errors.New("busy")

type Cache interface {
	SetNX(ctx context.Context, key string, value any, ttl time.Duration) (bool, error)
	Del(ctx context.Context, keys ...string) error
}

// Freed on success.
func brew(ctx context.Context, c Cache, batch, token string, fn func() error) error {
	key := "brew:" + batch
	ok, err := c.SetNX(ctx, key, token, time.Minute)
	if err != nil || !ok {
		return errBusy
	}
	defer c.Del(ctx, key) // want `unowned-release: `
	return fn()
}

// A method pair.
type kettleLock struct{ cache Cache }

func (l *kettleLock) Lock(ctx context.Context, kettle string) (bool, error) {
	return l.cache.SetNX(ctx, "kettle:"+kettle, "1", time.Minute)
}

func (l *kettleLock) Unlock(ctx context.Context, kettle string) error {
	return l.cache.Del(ctx, "kettle:"+kettle) // want `unowned-release: `
}

// Behind embedded interfaces, with the other names of the table.
type (
	adder interface {
		SetIfNotExists(ctx context.Context, key string, value any, ttl time.Duration) (bool, error)
	}
	remover interface {
		Delete(ctx context.Context, keys ...string) error
	}
	Store interface {
		adder
		remover
	}
)

func mash(ctx context.Context, s Store, tun string, fn func()) error {
	lockKey := "mash:lock:" + tun
	if ok, err := s.SetIfNotExists(ctx, lockKey, "1", time.Minute); err != nil || !ok {
		return errBusy
	}
	fn()
	return s.Delete(ctx, lockKey) // want `unowned-release: `
}

// Embedded in the struct that uses it, the defer too early.
type brewery struct {
	Cache
	name string
}

func (b *brewery) Exclusive(ctx context.Context, fn func() error) error {
	key := "brewery:lock:" + b.name
	ok, err := b.SetNX(ctx, key, b.name, time.Minute)
	defer b.Del(ctx, key) // want `release-unheld: `
	if err != nil || !ok {
		return errBusy
	}
	return fn()
}

// A marker, given back where the work failed.
func ship(ctx context.Context, c Cache, keg string, fn func() error) error {
	first, err := c.SetNX(ctx, "shipped:"+keg, 1, 24*time.Hour)
	if err != nil || !first {
		return err
	}
	if err := fn(); err != nil {
		_ = c.Del(ctx, "shipped:"+keg)
		return err
	}
	return nil
}

// A flag in sibling methods.
func (b *brewery) Close(ctx context.Context) error {
	_, err := b.SetNX(ctx, "brewery:closed:"+b.name, 1, 0)
	return err
}

func (b *brewery) Open(ctx context.Context) error { return b.Del(ctx, "brewery:closed:"+b.name) }
