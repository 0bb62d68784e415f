//locklint:test passes=baredel

// Package bad is a home-made locker with a fault of its own: it is reported here
// and at no caller.
package bad

import (
	"context"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

var ErrBusy = errors.New("busy")

type Locker struct{ rdb redis.UniversalClient }

func New(rdb redis.UniversalClient) *Locker { return &Locker{rdb: rdb} }

func (l *Locker) Lock(ctx context.Context, key, owner string, ttl time.Duration) (bool, error) {
	return l.rdb.SetNX(ctx, key, owner, ttl).Result()
}

func (l *Locker) Unlock(ctx context.Context, key string) error {
	return l.rdb.Del(ctx, key).Err() // want `unowned-release: `
}

// Obtain returns the function that frees.
func (l *Locker) Obtain(ctx context.Context, name, owner string, ttl time.Duration) (release func(), err error) {
	ok, err := l.rdb.SetNX(ctx, "obtained:"+name, owner, ttl).Result()
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, ErrBusy
	}
	return func() {
		l.rdb.Del(context.WithoutCancel(ctx), "obtained:"+name) // want `unowned-release: `
	}, nil
}

// Handle is what Take returns.
type Handle struct {
	rdb        redis.UniversalClient
	key, token string
}

func (l *Locker) Take(ctx context.Context, name, token string, ttl time.Duration) (*Handle, error) {
	h := &Handle{rdb: l.rdb, key: "taken:" + name, token: token}
	if ok, err := l.rdb.SetNX(ctx, h.key, h.token, ttl).Result(); err != nil || !ok {
		return nil, errors.Join(err, ErrBusy)
	}
	return h, nil
}
