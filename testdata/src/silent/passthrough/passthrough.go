// Package passthrough only passes through: what the keys are for, and whether the
// ttl is 0, is the callers' affair, and here they store data.
package passthrough

import (
	"context"
	"encoding/json"
	"time"

	"github.com/redis/go-redis/v9"
)

// Cache is what the service needs of Redis.
type Cache interface {
	SetNX(ctx context.Context, key string, value any, ttl time.Duration) (bool, error)
	Expire(ctx context.Context, key string, ttl time.Duration) error
	Delete(ctx context.Context, keys ...string) error
	CompareAndDelete(ctx context.Context, key string, value any) (bool, error)
}

type client struct {
	rdb    redis.UniversalClient
	prefix string
}

var compareAndDelete = redis.NewScript(`if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) end return 0`)

func New(rdb redis.UniversalClient, prefix string) Cache { return &client{rdb: rdb, prefix: prefix} }

func (c *client) SetNX(ctx context.Context, key string, value any, ttl time.Duration) (bool, error) {
	return c.rdb.SetNX(ctx, c.prefix+key, value, ttl).Result()
}

func (c *client) Expire(ctx context.Context, key string, ttl time.Duration) error {
	return c.rdb.Expire(ctx, c.prefix+key, ttl).Err()
}

func (c *client) Delete(ctx context.Context, keys ...string) error {
	full := make([]string, len(keys))
	for i, k := range keys {
		full[i] = c.prefix + k
	}
	return c.rdb.Del(ctx, full...).Err()
}

func (c *client) CompareAndDelete(ctx context.Context, key string, value any) (bool, error) {
	n, err := compareAndDelete.Run(ctx, c.rdb, []string{c.prefix + key}, value).Int()
	return n == 1, err
}

// A mock in the package itself.
type mock struct{ calls []string }

func (m *mock) SetNX(_ context.Context, key string, _ any, _ time.Duration) (bool, error) {
	m.calls = append(m.calls, "SetNX "+key)
	return true, nil
}

func (m *mock) Expire(_ context.Context, key string, _ time.Duration) error {
	m.calls = append(m.calls, "Expire "+key)
	return nil
}

func (m *mock) Delete(_ context.Context, keys ...string) error {
	m.calls = append(m.calls, "Delete")
	return nil
}

func (m *mock) CompareAndDelete(context.Context, string, any) (bool, error) { return true, nil }

var _ Cache = (*mock)(nil)

// A cache over the interface.
func Remember[T any](ctx context.Context, c Cache, key string, v T) error {
	raw, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = c.SetNX(ctx, "remember:"+key, raw, 0)
	return err
}

func Forget(ctx context.Context, c Cache, key string) error {
	return c.Delete(ctx, "remember:"+key)
}

// A sound lock over the interface.
func Exclusive(ctx context.Context, c Cache, name, token string, fn func() error) error {
	ok, err := c.SetNX(ctx, "exclusive:"+name, token, time.Minute)
	if err != nil || !ok {
		return err
	}
	defer c.CompareAndDelete(context.WithoutCancel(ctx), "exclusive:"+name, token)
	return fn()
}
