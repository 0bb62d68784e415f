//locklint:test passes=setnxexpire

// Package expired puts a ttl of 0 into the layers: the call that supplies it is
// the root.
package expired

import (
	"context"
	"errors"
	"time"

	"github.com/locklint/locklint/testdata/src/cross/wrapper/cache"
	"github.com/locklint/locklint/testdata/src/cross/wrapper/kv"
	"github.com/locklint/locklint/testdata/src/cross/wrapper/redisx"
)

var errBusy = errors.New("busy")

// A second command.
func allot(ctx context.Context, c *redisx.Client, stand string, fn func() error) error {
	key := "allot:lock:" + stand
	ok, err := c.SetIfAbsent(ctx, key, "1", 0) // want `setnx-expire: `
	if err != nil || !ok {
		return errBusy
	}
	if err := c.Touch(ctx, key, time.Minute); err != nil {
		return err
	}
	return fn()
}

// No expiry at all.
func seat(ctx context.Context, c *cache.Cache, row string, fn func()) error {
	if ok, err := c.Add(ctx, "seat:lock:"+row, row, 0); err != nil || !ok { // want `no-ttl: `
		return errBusy
	}
	fn()
	return c.Remove(ctx, "seat:lock:"+row)
}

// Three levels, in a method pair.
type usher struct{ store *kv.Store[string] }

func (u *usher) Lock(ctx context.Context, door, who string) (bool, error) {
	ok, err := u.store.PutNewFor(ctx, "door:"+door, who, 0) // want `setnx-expire: `
	if err != nil || !ok {
		return false, err
	}
	return true, u.store.Keep(ctx, "door:"+door, time.Minute)
}

func (u *usher) Unlock(ctx context.Context, door string) error {
	return u.store.Drop(ctx, "door:"+door)
}

// The layer supplies its TTL.
func aisle(ctx context.Context, s *kv.Store[string], row string, fn func()) error {
	if ok, err := s.PutNew(ctx, "aisle:lock:"+row, row); err != nil || !ok {
		return errBusy
	}
	fn()
	return s.Drop(ctx, "aisle:lock:"+row)
}

// A record that is meant to stay.
func premiere(ctx context.Context, s *kv.Store[string], show, day string) (bool, error) {
	return s.PutNewFor(ctx, "premiere:"+show, day, 0)
}
