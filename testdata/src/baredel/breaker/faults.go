// Package breaker reaches Redis through wrappers that do more than pass through:
// a breaker that runs a literal, a check of the key, a number for a bool.
package breaker

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

var errBusy = errors.New("busy")

// The command is in a literal that the breaker runs, and the reply leaves it by a
// named result.
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

func (r *Redis) node() (redis.Cmdable, error) { return r.c, nil }

func (r *Redis) SetNXEx(ctx context.Context, key, value string, seconds int) (ok bool, err error) {
	err = r.breaker.Do(func() error {
		n, err := r.node()
		if err != nil {
			return err
		}
		ok, err = n.SetNX(ctx, key, value, time.Duration(seconds)*time.Second).Result()
		return err
	})
	return ok, err
}

func (r *Redis) Del(ctx context.Context, keys ...string) (n int64, err error) {
	err = r.breaker.Do(func() error {
		c, err := r.node()
		if err != nil {
			return err
		}
		n, err = c.Del(ctx, keys...).Result()
		return err
	})
	return n, err
}

func mine(ctx context.Context, r *Redis, shaft, token string, fn func()) error {
	key := "shaft:lock:" + shaft
	ok, err := r.SetNXEx(ctx, key, token, 10)
	if err != nil {
		return err
	}
	if !ok {
		return errBusy
	}
	defer r.Del(ctx, key) // want `unowned-release: `
	fn()
	return nil
}

// A wrapper that looks at the key first.
type Checked struct{ commands redis.Cmdable }

func (c *Checked) SetIfAbsent(ctx context.Context, key, value string, ttl time.Duration) (bool, error) {
	if strings.TrimSpace(key) == "" {
		return false, errors.New("no key")
	}
	stored, err := c.commands.SetNX(ctx, key, value, ttl).Result()
	if err != nil {
		return false, err
	}
	return stored, nil
}

func (c *Checked) Delete(ctx context.Context, keys ...string) (int64, error) {
	if len(keys) == 0 {
		return 0, nil
	}
	for _, key := range keys {
		if key == "" {
			return 0, errors.New("an empty key")
		}
	}
	return c.commands.Del(ctx, keys...).Result()
}

func drill(ctx context.Context, c *Checked, hole, token string, fn func() error) error {
	key := "drill:lock:" + hole
	ok, err := c.SetIfAbsent(ctx, key, token, time.Minute)
	if err != nil || !ok {
		return errBusy
	}
	defer c.Delete(ctx, key) // want `unowned-release: `
	return fn()
}

// A wrapper that answers 1, 0 or -1.
type Old struct{ client *redis.Client }

func (o *Old) SetNX(ctx context.Context, key, value string, ttl time.Duration) (int64, error) {
	ok, err := o.client.SetNX(ctx, key, value, ttl).Result()
	if err != nil {
		return -1, err
	}
	if ok {
		return 1, nil
	}
	return 0, nil
}

func (o *Old) Del(ctx context.Context, key string) error { return o.client.Del(ctx, key).Err() }

func blast(ctx context.Context, o *Old, face, token string, fn func()) error {
	key := "blast:lock:" + face
	n, err := o.SetNX(ctx, key, token, time.Minute)
	if err != nil {
		return err
	}
	if n != 1 {
		return errBusy
	}
	defer o.Del(ctx, key) // want `unowned-release: `
	fn()
	return nil
}
