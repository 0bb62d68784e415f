// Package clients has the fault of C1 on every kind of client.
package clients

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
)

const ttl = 30 * time.Second

func cluster(ctx context.Context, c *redis.ClusterClient, id string, fn func()) {
	if c.SetNX(ctx, "cluster:"+id, "1", ttl).Val() { // want `weak-token: `
		fn()
		c.Del(ctx, "cluster:"+id)
	}
}

func universal(ctx context.Context, c redis.UniversalClient, id string, fn func()) {
	if c.SetNX(ctx, "universal:"+id, "1", ttl).Val() { // want `weak-token: `
		fn()
		c.Del(ctx, "universal:"+id)
	}
}

func cmdable(ctx context.Context, c redis.Cmdable, id string, fn func()) {
	if c.SetNX(ctx, "cmdable:"+id, "1", ttl).Val() { // want `weak-token: `
		fn()
		c.Del(ctx, "cmdable:"+id)
	}
}

type kv struct{ redis.UniversalClient }

func (k kv) guard(ctx context.Context, id string, fn func()) {
	if k.SetNX(ctx, "kv:"+id, "1", ttl).Val() { // want `weak-token: `
		fn()
		k.Del(ctx, "kv:"+id)
	}
}

// Queued, and asked after Exec.
func pipelined(ctx context.Context, c *redis.Client, id string, fn func()) error {
	pipe := c.Pipeline()
	won := pipe.SetNX(ctx, "pipelined:"+id, "1", ttl) // want `weak-token: `
	pipe.Incr(ctx, "attempts:"+id)
	if _, err := pipe.Exec(ctx); err != nil {
		return err
	}
	if !won.Val() {
		return nil
	}
	fn()
	return c.Del(ctx, "pipelined:"+id).Err()
}

type typed[T any] struct {
	rdb  *redis.Client
	zero T
}

func (t *typed[T]) Acquire(ctx context.Context, id string) bool {
	return t.rdb.SetNX(ctx, "typed:"+id, "1", ttl).Val() // want `weak-token: `
}

func (t *typed[T]) Release(ctx context.Context, id string) { t.rdb.Del(ctx, "typed:"+id) }

var global *redis.Client

func byGlobal(ctx context.Context, id string, fn func()) {
	if global.SetNX(ctx, "global:"+id, "1", ttl).Val() { // want `weak-token: `
		defer global.Del(ctx, "global:"+id)
		fn()
	}
}
