//locklint:test passes=baredel,constvalue,setnxexpire

// Package cache is the second layer: it puts a prefix before every key.
package cache

import (
	"context"
	"time"

	"github.com/locklint/locklint/testdata/src/cross/wrapper/redisx"
)

type Cache struct {
	client *redisx.Client
	prefix string
}

func New(client *redisx.Client, prefix string) *Cache { return &Cache{client: client, prefix: prefix} }

func (c *Cache) Add(ctx context.Context, key string, value any, ttl time.Duration) (bool, error) {
	return c.client.SetIfAbsent(ctx, c.prefix+key, value, ttl)
}

func (c *Cache) Remove(ctx context.Context, key string) error {
	_, err := c.client.Delete(ctx, c.prefix+key)
	return err
}

func (c *Cache) Touch(ctx context.Context, key string, ttl time.Duration) error {
	return c.client.Touch(ctx, c.prefix+key, ttl)
}

func (c *Cache) Get(ctx context.Context, key string) (string, error) {
	return c.client.Get(ctx, c.prefix+key)
}
