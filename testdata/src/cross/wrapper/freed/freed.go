//locklint:test passes=baredel

// Package freed puts lock keys into the layers and frees them bare.
package freed

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"github.com/locklint/locklint/testdata/src/cross/wrapper/cache"
	"github.com/locklint/locklint/testdata/src/cross/wrapper/kv"
	"github.com/locklint/locklint/testdata/src/cross/wrapper/redisx"
)

var errBusy = errors.New("busy")

// One level.
func allot(ctx context.Context, c *redisx.Client, stand string, fn func() error) error {
	key := "allot:lock:" + stand
	ok, err := c.SetIfAbsent(ctx, key, rand.Text(), time.Minute)
	if err != nil || !ok {
		return errBusy
	}
	defer c.Delete(ctx, key) // want `unowned-release: `
	return fn()
}

// Two levels, and the prefix on both sides.
func seat(ctx context.Context, c *cache.Cache, row string, fn func()) error {
	if ok, err := c.Add(ctx, "seat:"+row, rand.Text(), time.Minute); err != nil || !ok {
		return errBusy
	}
	fn()
	return c.Remove(ctx, "seat:"+row) // want `unowned-release: `
}

// Three levels, through a generic type, in a method pair.
type boxOffice struct{ store *kv.Store[string] }

func (b *boxOffice) Acquire(ctx context.Context, show string) (bool, error) {
	return b.store.PutNew(ctx, "show:"+show, rand.Text())
}

func (b *boxOffice) Release(ctx context.Context, show string) error {
	return b.store.Drop(ctx, "show:"+show) // want `unowned-release: `
}

// Before the check.
func refund(ctx context.Context, s *kv.Store[string], ticket string, fn func() error) error {
	key := "refund:lock:" + ticket
	ok, err := s.PutNew(ctx, key, rand.Text())
	defer func() {
		_ = s.Drop(ctx, key) // want `release-unheld: `
	}()
	if err != nil || !ok {
		return errBusy
	}
	return fn()
}

// A marker through the same layers, given back where the work failed.
func print(ctx context.Context, s *kv.Store[int], ticket string, fn func() error) error {
	first, err := s.PutNew(ctx, "printed:"+ticket, 1)
	if err != nil || !first {
		return err
	}
	if err := fn(); err != nil {
		_ = s.Drop(ctx, "printed:"+ticket)
		return err
	}
	return nil
}

// A cache through the same layers.
func poster(ctx context.Context, c *cache.Cache, show string, load func() string) (string, error) {
	if v, err := c.Get(ctx, "poster:"+show); err == nil {
		return v, nil
	}
	v := load()
	_, err := c.Add(ctx, "poster:"+show, v, time.Hour)
	return v, err
}

func dropPoster(ctx context.Context, c *cache.Cache, show string) error {
	return c.Remove(ctx, "poster:"+show)
}
