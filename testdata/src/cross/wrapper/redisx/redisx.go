//locklint:test passes=baredel,constvalue,setnxexpire

// Package redisx is the first of three layers over the client. Nothing here says
// what a key is for.
package redisx

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
)

type Client struct{ rdb redis.UniversalClient }

func New(rdb redis.UniversalClient) *Client { return &Client{rdb: rdb} }

func (c *Client) SetIfAbsent(ctx context.Context, key string, value any, ttl time.Duration) (bool, error) {
	return c.rdb.SetNX(ctx, key, value, ttl).Result()
}

func (c *Client) Delete(ctx context.Context, keys ...string) (int64, error) {
	return c.rdb.Del(ctx, keys...).Result()
}

func (c *Client) Touch(ctx context.Context, key string, ttl time.Duration) error {
	return c.rdb.Expire(ctx, key, ttl).Err()
}

func (c *Client) Get(ctx context.Context, key string) (string, error) {
	return c.rdb.Get(ctx, key).Result()
}
