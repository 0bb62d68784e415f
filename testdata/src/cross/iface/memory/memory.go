//locklint:test passes=baredel,constvalue,setnxexpire

// Package memory is no Redis at all: its methods have the shape, and their bodies
// say otherwise.
package memory

import (
	"context"
	"errors"
	"sync"
	"time"
)

type Cache struct {
	mu sync.Mutex
	m  map[string]any
}

func New() *Cache { return &Cache{m: map[string]any{}} }

func (c *Cache) SetNX(ctx context.Context, key string, value any, ttl time.Duration) (bool, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.m[key]; ok {
		return false, ctx.Err()
	}
	c.m[key] = value
	return true, ctx.Err()
}

func (c *Cache) Del(ctx context.Context, keys ...string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, key := range keys {
		delete(c.m, key)
	}
	return ctx.Err()
}

func once(ctx context.Context, c *Cache, name string, fn func() error) error {
	key := "lock:" + name
	ok, err := c.SetNX(ctx, key, "1", 0)
	if err != nil || !ok {
		return errors.New("busy")
	}
	defer c.Del(ctx, key)
	return fn()
}
