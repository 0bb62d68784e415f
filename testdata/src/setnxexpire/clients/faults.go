// Package clients has the fault of A1 on every kind of client.
package clients

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
)

const ttl = 30 * time.Second

func universal(ctx context.Context, c redis.UniversalClient, id string, fn func()) {
	if c.SetNX(ctx, "universal:"+id, 1, 0).Val() { // want `setnx-expire: `
		c.Expire(ctx, "universal:"+id, ttl)
		fn()
	}
}

func cmdable(ctx context.Context, c redis.Cmdable, id string, fn func()) {
	if c.SetNX(ctx, "cmdable:"+id, 1, 0).Val() { // want `setnx-expire: `
		c.Expire(ctx, "cmdable:"+id, ttl)
		fn()
	}
}

func ring(ctx context.Context, c *redis.Ring, id string, fn func()) {
	if c.SetNX(ctx, "ring:"+id, 1, 0).Val() { // want `setnx-expire: `
		c.Expire(ctx, "ring:"+id, ttl)
		fn()
	}
}

// Inside Watch, but not in a transaction.
func tx(ctx context.Context, c *redis.Client, id string, fn func()) error {
	return c.Watch(ctx, func(tx *redis.Tx) error {
		if tx.SetNX(ctx, "tx:"+id, 1, 0).Val() { // want `setnx-expire: `
			tx.Expire(ctx, "tx:"+id, ttl)
			fn()
		}
		return nil
	}, "config:"+id)
}

type app struct {
	value redis.Client
	ptr   *redis.Client
}

func (a *app) Client() *redis.Client { return a.ptr }

func (a *app) byValue(ctx context.Context, id string, fn func()) {
	if a.value.SetNX(ctx, "value:"+id, 1, 0).Val() { // want `setnx-expire: `
		a.value.Expire(ctx, "value:"+id, ttl)
		fn()
	}
}

func (a *app) byGetter(ctx context.Context, id string, fn func()) {
	if a.Client().SetNX(ctx, "getter:"+id, 1, 0).Val() { // want `setnx-expire: `
		a.Client().Expire(ctx, "getter:"+id, ttl)
		fn()
	}
}

var global redis.UniversalClient

func byGlobal(ctx context.Context, id string, fn func()) {
	if global.SetNX(ctx, "global:"+id, 1, 0).Val() { // want `setnx-expire: `
		global.Expire(ctx, "global:"+id, ttl)
		fn()
	}
}

type of[C redis.Cmdable] struct{ c C }

func (o of[C]) run(ctx context.Context, id string, fn func()) {
	if o.c.SetNX(ctx, "of:"+id, 1, 0).Val() { // want `setnx-expire: `
		o.c.Expire(ctx, "of:"+id, ttl)
		fn()
	}
}
