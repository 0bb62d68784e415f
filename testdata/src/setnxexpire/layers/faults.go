// Package layers creates keys through wrappers that have no TTL parameter, and adds
// the TTL with a second call, or never. The wrapper does not know what the key is
// for, so the report stands at the call that puts a lock in.
package layers

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

var errBusy = errors.New("busy")

// A number for a bool, seconds for a duration.
type Old struct{ client *redis.Client }

func (o *Old) SetNX(ctx context.Context, key, value string) (int64, error) {
	ok, err := o.client.SetNX(ctx, key, value, 0).Result()
	if err != nil {
		return -1, err
	}
	if ok {
		return 1, nil
	}
	return 0, nil
}

func (o *Old) Expire(ctx context.Context, key string, seconds int64) error {
	return o.client.Expire(ctx, key, time.Duration(seconds)*time.Second).Err()
}

func (o *Old) Del(ctx context.Context, keys ...string) error {
	return o.client.Del(ctx, keys...).Err()
}

func weave(ctx context.Context, o *Old, loom, token string, fn func()) error {
	key := "loom:lock:" + loom
	n, err := o.SetNX(ctx, key, token) // want `setnx-expire: `
	if err != nil {
		return err
	}
	if n != 1 {
		return errBusy
	}
	defer o.Del(ctx, key)
	if err := o.Expire(ctx, key, 30); err != nil {
		return err
	}
	fn()
	return nil
}

// The TTL is set before the work and its error is dropped.
func spin(ctx context.Context, o *Old, token string, fn func()) {
	const key = "mill:spin_lock"
	n, err := o.SetNX(ctx, key, token) // want `setnx-expire: `
	if err != nil || n != 1 {
		return
	}
	defer o.Del(ctx, key)
	o.Expire(ctx, key, 300)
	fn()
}

// A wrapper that looks at the key first.
type Checked struct{ commands redis.Cmdable }

func (c *Checked) SetIfAbsent(ctx context.Context, key, value string) (bool, error) {
	if strings.TrimSpace(key) == "" {
		return false, errors.New("no key")
	}
	return c.commands.SetNX(ctx, key, value, 0).Result()
}

func (c *Checked) Expire(ctx context.Context, key string, ttl time.Duration) (bool, error) {
	return c.commands.Expire(ctx, key, ttl).Result()
}

func (c *Checked) Delete(ctx context.Context, key string) error {
	return c.commands.Del(ctx, key).Err()
}

func dye(ctx context.Context, c *Checked, vat, token string, fn func() error) error {
	key := "vat:lock:" + vat
	ok, err := c.SetIfAbsent(ctx, key, token) // want `setnx-expire: `
	if err != nil || !ok {
		return errBusy
	}
	if _, err := c.Expire(ctx, key, time.Minute); err != nil {
		return err
	}
	defer c.Delete(ctx, key)
	return fn()
}

// A breaker runs the command in a literal, and nobody ever sets a TTL.
type Breaker struct{ open bool }

func (b *Breaker) Do(f func() error) error {
	if b.open {
		return errors.New("open")
	}
	return f()
}

type Guarded struct {
	breaker *Breaker
	c       *redis.Client
}

func (g *Guarded) SetNX(ctx context.Context, key, value string) (ok bool, err error) {
	err = g.breaker.Do(func() error {
		var err error
		ok, err = g.c.SetNX(ctx, key, value, 0).Result()
		return err
	})
	return ok, err
}

func (g *Guarded) Del(ctx context.Context, key string) error {
	return g.breaker.Do(func() error { return g.c.Del(ctx, key).Err() })
}

func card(ctx context.Context, g *Guarded, fleece, token string, fn func()) error {
	key := "fleece:lock:" + fleece
	ok, err := g.SetNX(ctx, key, token) // want `no-ttl: `
	if err != nil {
		return err
	}
	if !ok {
		return errBusy
	}
	defer g.Del(ctx, key)
	fn()
	return nil
}
