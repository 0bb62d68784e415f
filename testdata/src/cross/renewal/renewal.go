//locklint:test passes=baredel

// Package renewal acquires by a script and renews in another method or goroutine,
// without asking whose the lock is.
package renewal

import (
	"context"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

const ttl = 30 * time.Second

var (
	acquire = redis.NewScript(`return redis.call("set", KEYS[1], ARGV[1], "NX", "PX", ARGV[2])`)
	release = redis.NewScript(`if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) end return 0`)
)

// A loop in another method, started by the acquiring one.
type Lock struct {
	rdb        redis.UniversalClient
	key, token string
	cancel     context.CancelFunc
}

func (l *Lock) Acquire(ctx context.Context) (bool, error) {
	err := acquire.Run(ctx, l.rdb, []string{l.key}, l.token, ttl.Milliseconds()).Err()
	if errors.Is(err, redis.Nil) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	ctx, l.cancel = context.WithCancel(context.WithoutCancel(ctx))
	go l.renew(ctx)
	return true, nil
}

func (l *Lock) renew(ctx context.Context) {
	tick := time.NewTicker(ttl / 3)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			l.rdb.Expire(ctx, l.key, ttl) // want `unowned-renew: `
		}
	}
}

func (l *Lock) Release(ctx context.Context) error {
	l.cancel()
	return release.Run(ctx, l.rdb, []string{l.key}, l.token).Err()
}

// The body of the loop is one level down, and checks in two steps.
type Lease struct {
	rdb         *redis.Client
	name, owner string
}

func (l *Lease) key() string { return "lease:" + l.name }

func (l *Lease) Obtain(ctx context.Context) (bool, error) {
	return l.rdb.SetNX(ctx, l.key(), l.owner, ttl).Result()
}

func (l *Lease) loop(ctx context.Context) {
	for range time.Tick(ttl / 3) {
		if ctx.Err() != nil || l.once(ctx) != nil {
			return
		}
	}
}

func (l *Lease) once(ctx context.Context) error {
	owner, err := l.rdb.Get(ctx, l.key()).Result()
	if err != nil {
		return err
	}
	if owner != l.owner {
		return errors.New("lease lost")
	}
	return l.rdb.PExpire(ctx, l.key(), ttl).Err() // want `get-del-race: `
}

func (l *Lease) Release(ctx context.Context) error {
	return release.Run(ctx, l.rdb, []string{l.key()}, l.owner).Err()
}
