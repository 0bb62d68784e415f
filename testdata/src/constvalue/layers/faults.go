// Package layers puts the value in through wrappers, interfaces and middleware. The
// report stands where the constant is written.
package layers

import (
	"context"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

const ttl = time.Minute

var (
	errBusy = errors.New("busy")
	release = redis.NewScript(`if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) end return 0`)
)

// Through an interface of the package.
type Cache interface {
	SetNX(ctx context.Context, key string, v any, ttl time.Duration) (bool, error)
	Del(ctx context.Context, keys ...string) error
}

type cache struct{ c *redis.Client }

func (r *cache) SetNX(ctx context.Context, key string, v any, ttl time.Duration) (bool, error) {
	return r.c.SetNX(ctx, key, v, ttl).Result()
}

func (r *cache) Del(ctx context.Context, keys ...string) error {
	return r.c.Del(ctx, keys...).Err()
}

func bake(ctx context.Context, c Cache, oven string, fn func() error) error {
	key := "oven:" + oven + ":lock"
	ok, err := c.SetNX(ctx, key, "1", ttl) // want `weak-token: `
	if err != nil {
		return err
	}
	defer func() {
		if ok {
			_ = c.Del(ctx, key)
		}
	}()
	return fn()
}

// Through a breaker, that runs the command in a literal.
type Breaker struct{ open bool }

func (b *Breaker) Do(f func() error) error {
	if b.open {
		return errors.New("open")
	}
	return f()
}

type Redis struct {
	breaker *Breaker
	c       *redis.Client
}

func (r *Redis) SetNXEx(ctx context.Context, key, value string, seconds int) (ok bool, err error) {
	err = r.breaker.Do(func() error {
		var err error
		ok, err = r.c.SetNX(ctx, key, value, time.Duration(seconds)*time.Second).Result()
		return err
	})
	return ok, err
}

func (r *Redis) Del(ctx context.Context, keys ...string) error {
	return r.breaker.Do(func() error { return r.c.Del(ctx, keys...).Err() })
}

func knead(ctx context.Context, r *Redis, dough string, fn func()) error {
	key := "dough:lock:" + dough
	ok, err := r.SetNXEx(ctx, key, "busy", 10) // want `weak-token: `
	if err != nil || !ok {
		return errBusy
	}
	defer r.Del(ctx, key)
	fn()
	return nil
}

// A helper for acquiring and one for releasing, that a third method uses with a key
// that says lock.
type Shop struct{ client redis.UniversalClient }

func (s *Shop) bread(ctx context.Context, kind string, load func() (string, error)) (string, error) {
	lock := "lock:bread:" + kind
	ok, err := s.acquire(ctx, lock)
	if err != nil || !ok {
		return "", err
	}
	defer s.give(ctx, lock)
	return load()
}

func (s *Shop) acquire(ctx context.Context, key string) (bool, error) {
	return s.client.SetNX(ctx, key, "1", ttl).Result() // want `weak-token: `
}

func (s *Shop) give(ctx context.Context, key string) error { return s.client.Del(ctx, key).Err() }

// Around handlers.
type Handler func(ctx context.Context, user string)

func oneAtATime(rdb *redis.Client, prefix string, next Handler) Handler {
	return func(ctx context.Context, user string) {
		key := prefix + ":" + user
		ok, err := rdb.SetNX(ctx, key, "1", ttl).Result() // want `weak-token: `
		if err != nil || !ok {
			return
		}
		defer rdb.Del(context.WithoutCancel(ctx), key)
		next(ctx, user)
	}
}

// With a type parameter for the client.
func with[T redis.Cmdable](ctx context.Context, c T, shelf string, fn func()) bool {
	key := "shelf:" + shelf
	if !c.SetNX(ctx, key, "1", ttl).Val() { // want `weak-token: `
		return false
	}
	defer c.Del(ctx, key)
	fn()
	return true
}

// The owner check of the script compares a number that all of them have.
type Tills struct{ redis *redis.Client }

func (t *Tills) name(n string) string { return "till:lock:" + n }

func (t *Tills) Lock(ctx context.Context, n string, seconds int) bool {
	return t.redis.SetNX(ctx, t.name(n), 1, time.Duration(seconds)*time.Second).Val() // want `weak-token: `
}

func (t *Tills) Unlock(ctx context.Context, n string) bool {
	return release.Run(ctx, t.redis, []string{t.name(n)}, 1).Err() == nil
}
