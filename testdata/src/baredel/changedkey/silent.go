// Package changedkey frees another key than it acquired: what the key is made of
// changes in between, or the helper gives another one.
package changedkey

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

// A field that moves on.
func (c *cursor) advance(ctx context.Context, token string, work func() string) {
	if !c.rdb.SetNX(ctx, "page:"+c.page, token, time.Minute).Val() {
		return
	}
	c.page = work()
	c.rdb.Del(ctx, "page:"+c.page)
}

// A helper whose key depends on its argument in a way that is not seen through.
func shard(n int) string { return "shard:" + strconv.Itoa(n%16) }

func move(ctx context.Context, rdb *redis.Client, from, to int, token string) {
	if rdb.SetNX(ctx, shard(from), token, time.Minute).Val() {
		rdb.Del(ctx, shard(to))
	}
}

// A generator gives another key each time.
func (c *cursor) generate(ctx context.Context, token string) {
	if c.rdb.SetNX(ctx, c.next(), token, time.Minute).Val() {
		c.rdb.Del(ctx, c.next())
	}
}

// The number of a state is not its name.
type state int

func (s state) String() string { return [...]string{"new", "old"}[s] }

func enter(ctx context.Context, rdb *redis.Client, s state, token string) {
	if rdb.SetNX(ctx, "state:"+s.String(), token, time.Minute).Val() {
		rdb.Del(ctx, "state:"+strconv.Itoa(int(s)))
	}
}

// A literal that may never run assigns the key that would match.
func (c *cursor) later(ctx context.Context, a, b, token string, register func(func())) {
	key := "slot:" + a
	register(func() { key = "slot:" + b })
	if c.rdb.SetNX(ctx, "slot:"+b, token, time.Minute).Val() {
		c.rdb.Del(ctx, key)
	}
}
