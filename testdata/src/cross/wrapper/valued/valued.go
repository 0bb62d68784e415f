//locklint:test passes=constvalue

// Package valued puts constants into the layers: the call that supplies the value
// of a lock is the root.
package valued

import (
	"context"
	"crypto/rand"
	"errors"
	"os"
	"time"

	"github.com/locklint/locklint/testdata/src/cross/wrapper/cache"
	"github.com/locklint/locklint/testdata/src/cross/wrapper/kv"
	"github.com/locklint/locklint/testdata/src/cross/wrapper/redisx"
)

var errBusy = errors.New("busy")

func allot(ctx context.Context, c *redisx.Client, stand string, fn func() error) error {
	key := "allot:lock:" + stand
	ok, err := c.SetIfAbsent(ctx, key, "1", time.Minute) // want `weak-token: `
	if err != nil || !ok {
		return errBusy
	}
	defer c.Delete(ctx, key)
	return fn()
}

type boxOffice struct{ store *kv.Store[int] }

func (b *boxOffice) Acquire(ctx context.Context, show string) (bool, error) {
	return b.store.PutNew(ctx, "show:"+show, 1) // want `weak-token: `
}

func (b *boxOffice) Release(ctx context.Context, show string) error {
	return b.store.Drop(ctx, "show:"+show)
}

func seat(ctx context.Context, c *cache.Cache, row string, fn func()) error {
	host, _ := os.Hostname()
	if ok, err := c.Add(ctx, "seat:"+row, host, time.Minute); err != nil || !ok { // want `weak-token: `
		return errBusy
	}
	fn()
	return c.Remove(ctx, "seat:"+row)
}

func aisle(ctx context.Context, c *cache.Cache, row string, fn func()) error {
	if ok, err := c.Add(ctx, "aisle:"+row, rand.Text(), time.Minute); err != nil || !ok { // want `lost-token: `
		return errBusy
	}
	fn()
	return c.Remove(ctx, "aisle:"+row)
}

// A marker: nobody owns it.
func printed(ctx context.Context, s *kv.Store[int], ticket string) (bool, error) {
	return s.PutNewFor(ctx, "printed:"+ticket, 1, 24*time.Hour)
}
