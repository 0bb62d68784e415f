// Package lockrt locks with the runtime package of this module, every part of it:
// right by itself, so that no pass has anything to say.
package lockrt

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"

	lockrt "github.com/locklint/locklint/runtime"
)

type rebuilder struct {
	rdb    *redis.Client
	locker *lockrt.Locker
	lock   *lockrt.Lock
}

func newRebuilder(rdb *redis.Client) (*rebuilder, error) {
	l, err := lockrt.New(rdb, lockrt.Backoff(time.Millisecond, 50*time.Millisecond), lockrt.ReleaseTimeout(time.Second))
	return &rebuilder{rdb: rdb, locker: l}, err
}

func (r *rebuilder) Run(ctx context.Context, shop string, work func(context.Context) error) error {
	return r.locker.Do(ctx, "lock:rebuild:"+shop, 30*time.Second, work, lockrt.Fencing())
}

func (r *rebuilder) Lock(ctx context.Context, shop string) error {
	lock, err := r.locker.Acquire(ctx, "lock:shop:"+shop, time.Minute, lockrt.AutoRenew(), lockrt.MaxHold(time.Hour))
	if err != nil {
		return err
	}
	r.lock = lock
	return nil
}

func (r *rebuilder) TryLock(ctx context.Context, shop string) (bool, error) {
	lock, err := r.locker.TryAcquire(ctx, "lock:shop:"+shop, time.Minute)
	if errors.Is(err, lockrt.ErrHeld) {
		return false, nil
	}
	r.lock = lock
	return err == nil, err
}

func (r *rebuilder) Extend(ctx context.Context) error { return r.lock.Renew(ctx, time.Minute) }

func (r *rebuilder) Unlock(ctx context.Context) error {
	var lost *lockrt.LostError
	if err := r.lock.Release(ctx); errors.As(err, &lost) {
		return lost
	}
	return nil
}

// A lock made by hand, with the two atomic steps.
func (r *rebuilder) byHand(ctx context.Context, shop string, fn func() error) error {
	key, token := "lock:hand:"+shop, rand.Text()
	ok, err := r.rdb.SetNX(ctx, key, token, time.Minute).Result()
	if err != nil || !ok {
		return errors.Join(err, lockrt.ErrHeld)
	}
	defer lockrt.CompareAndDelete(context.WithoutCancel(ctx), r.rdb, key, token)
	if err := lockrt.CompareAndExpire(ctx, r.rdb, key, token, time.Minute).Err(); err != nil {
		return err
	}
	return fn()
}
