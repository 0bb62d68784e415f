// Package samekey frees the key that it acquired, written in another way or after a
// change.
package samekey

import (
	"context"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"
)

type cursor struct {
	rdb  *redis.Client
	page string
	next func() string
}

func shard(n int) string { return "shard:" + strconv.Itoa(n%16) }

// The same field, moved on before both.
func (c *cursor) restart(ctx context.Context, page, token string, work func()) {
	c.page = page
	if !c.rdb.SetNX(ctx, "page:"+c.page, token, time.Minute).Val() {
		return
	}
	work()
	c.rdb.Del(ctx, "page:"+c.page) // want `unowned-release: `
}

// The same helper with the same argument.
func stay(ctx context.Context, rdb *redis.Client, at int, token string, work func()) {
	if rdb.SetNX(ctx, shard(at), token, time.Minute).Val() {
		work()
		rdb.Del(ctx, shard(at)) // want `unowned-release: `
	}
}

// What a generator gave is kept.
func (c *cursor) keep(ctx context.Context, token string, work func()) {
	key := c.next()
	if c.rdb.SetNX(ctx, key, token, time.Minute).Val() {
		work()
		c.rdb.Del(ctx, key) // want `unowned-release: `
	}
}

// A promoted method and its field name one key.
type inner struct{ id string }

func (i *inner) key() string { return "inner:" + i.id }

type outer struct {
	inner
	rdb *redis.Client
}

func (o *outer) run(ctx context.Context, token string, work func()) {
	if o.rdb.SetNX(ctx, o.key(), token, time.Minute).Val() {
		work()
		o.rdb.Del(ctx, "inner:"+o.inner.id) // want `unowned-release: `
	}
}
