//locklint:test passes=baredel,constvalue,setnxexpire

// Package user calls both lockers. The fault of the one is reported at its root,
// the other has none.
package user

import (
	"context"
	"crypto/rand"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/locklint/locklint/testdata/src/cross/lockpkg/bad"
	"github.com/locklint/locklint/testdata/src/cross/lockpkg/good"
)

func moor(ctx context.Context, l *bad.Locker, boat string, fn func() error) error {
	ok, err := l.Lock(ctx, "boat:"+boat, rand.Text(), time.Minute)
	if err != nil || !ok {
		return bad.ErrBusy
	}
	defer l.Unlock(ctx, "boat:"+boat)
	return fn()
}

func tow(ctx context.Context, l *bad.Locker, boat, owner string, fn func()) error {
	release, err := l.Obtain(ctx, boat, owner, time.Minute)
	if err != nil {
		return err
	}
	defer release()
	fn()
	return nil
}

func sail(ctx context.Context, rdb *redis.Client, boat string, fn func()) error {
	lock, err := good.Obtain(ctx, rdb, "sail:"+boat, good.Options{})
	if err != nil {
		return err
	}
	defer lock.Release(context.WithoutCancel(ctx))
	fn()
	return nil
}

func row(ctx context.Context, rdb *redis.Client, boat string, fn func()) error {
	lock, err := good.ObtainWith(ctx, rdb, "row:"+boat, good.WithTTL(time.Hour))
	if err != nil {
		return err
	}
	defer lock.Release(context.WithoutCancel(ctx))
	fn()
	return nil
}
