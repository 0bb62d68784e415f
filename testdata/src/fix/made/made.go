// Package made has functions that acquire and hand out a handle, which frees and
// renews without a token.
package made

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

const ttl = 30 * time.Second

var errBusy = errors.New("busy")

// The value is a constant.
type Lock struct {
	rdb *redis.Client
	key string
}

func Acquire(ctx context.Context, rdb *redis.Client, id string) (*Lock, error) {
	key := "lock:" + id
	ok, err := rdb.SetNX(ctx, key, "1", ttl).Result()
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, errBusy
	}
	return &Lock{
		rdb: rdb,
		key: key,
	}, nil
}

func (l *Lock) Release(ctx context.Context) error { return l.rdb.Del(ctx, l.key).Err() }

func (l *Lock) Extend(ctx context.Context, ttl time.Duration) (bool, error) {
	return l.rdb.Expire(ctx, l.key, ttl).Result()
}

// The token is a parameter of the constructor, and the key made of a field.
type slot struct {
	rdb  redis.UniversalClient
	name string // of the slot
}

func takeSlot(ctx context.Context, rdb redis.UniversalClient, name, owner string) *slot {
	if !rdb.SetNX(ctx, "slot:lock:"+name, owner, ttl).Val() {
		return nil
	}
	s := slot{rdb, name}
	return &s
}

func freeSlot(ctx context.Context, s *slot) { s.rdb.Del(ctx, "slot:lock:"+s.name) }

// The token is made in the call, in a way of its own.
type seat struct{ key string }

func reserve(ctx context.Context, rdb *redis.Client, row string) (seat, error) {
	key := "seat:lock:" + row
	for range 3 {
		ok, err := rdb.SetNX(ctx, key, "seat-"+rand.Text(), ttl).Result()
		if err != nil {
			return seat{}, err
		}
		if ok {
			return seat{key: key}, nil
		}
	}
	return seat{}, errBusy
}

func (s seat) leave(ctx context.Context, rdb *redis.Client) { rdb.Del(ctx, s.key) }

// The handle is filled before, and holds the token.
type lease struct {
	rdb        *redis.Client
	key, token string
}

func obtain(ctx context.Context, rdb *redis.Client, id string) (*lease, error) {
	l := &lease{rdb: rdb, key: "lease:lock:" + id, token: rand.Text()}
	if ok, err := l.rdb.SetNX(ctx, l.key, l.token, ttl).Result(); err != nil || !ok {
		return nil, errBusy
	}
	return l, nil
}

func (l *lease) release(ctx context.Context) error { return l.rdb.Del(ctx, l.key).Err() }

// The handle has it under another name; a method of the client creates the key.
type depot struct{ rdb *redis.Client }

type claim struct {
	depot      *depot
	key, owner string
}

func (d *depot) obtain(ctx context.Context, key, token string) (bool, error) {
	return d.rdb.SetNX(ctx, key, token, ttl).Result()
}

func (d *depot) lock(ctx context.Context, id string) (*claim, error) {
	key, token := "claim:lock:"+id, rand.Text()
	if ok, err := d.obtain(ctx, key, token); err != nil || !ok {
		return nil, errBusy
	}
	return &claim{depot: d, key: key, owner: token}, nil
}

func (c *claim) unlock(ctx context.Context) error { return c.depot.rdb.Del(ctx, c.key).Err() }

// The key is set in the handle afterwards.
type post struct {
	rdb *redis.Client
	key string
}

func guard(ctx context.Context, rdb *redis.Client, id string) (*post, error) {
	key := "post:lock:" + id
	p := &post{rdb: rdb}
	ok, err := rdb.SetNX(ctx, key, "1", ttl).Result()
	if err != nil || !ok {
		return nil, errBusy
	}
	p.key = key
	return p, nil
}

func (p *post) leave(ctx context.Context) error { return p.rdb.Del(ctx, p.key).Err() }
