//locklint:test passes=baredel,constvalue,setnxexpire

// Package good is a home-made locker that is right. Its TTL comes from a config
// struct, a functional option, or a default.
package good

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

var ErrBusy = errors.New("busy")

var release = redis.NewScript(`if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) end return 0`)

type Options struct{ TTL time.Duration }

type Option func(*Options)

func WithTTL(d time.Duration) Option { return func(o *Options) { o.TTL = d } }

type Lock struct {
	rdb        redis.Cmdable
	key, token string
}

func Obtain(ctx context.Context, rdb redis.Cmdable, key string, o Options) (*Lock, error) {
	if o.TTL <= 0 {
		o.TTL = 30 * time.Second
	}
	l := &Lock{rdb: rdb, key: key, token: rand.Text()}
	ok, err := rdb.SetNX(ctx, key, l.token, o.TTL).Result()
	if err != nil || !ok {
		return nil, errors.Join(err, ErrBusy)
	}
	return l, nil
}

func ObtainWith(ctx context.Context, rdb redis.Cmdable, key string, opts ...Option) (*Lock, error) {
	o := Options{TTL: time.Minute}
	for _, opt := range opts {
		opt(&o)
	}
	return Obtain(ctx, rdb, key, o)
}

func (l *Lock) Release(ctx context.Context) error {
	return release.Run(ctx, l.rdb, []string{l.key}, l.token).Err()
}
