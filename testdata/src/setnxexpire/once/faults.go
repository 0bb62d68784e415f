// Package once marks things that are done once. Nothing is freed and nothing is
// named after a lock, but the reply decides: a crash between SETNX and EXPIRE makes
// "once" into "never again".
package once

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
)

// An idempotency key of a request, the TTL in seconds.
type Requests struct{ client *redis.Client }

func (r *Requests) Begin(ctx context.Context, user, request string, seconds int) (bool, error) {
	key := "request:" + user + ":" + request
	fresh, err := r.client.SetNX(ctx, key, "1", 0).Result() // want `setnx-expire: `
	if err != nil {
		return false, err
	}
	if fresh {
		r.client.Expire(ctx, key, time.Duration(seconds)*time.Second)
	}
	return fresh, nil
}

// The error of the Expire is handled with care, which does not help a process that
// is gone by then.
func (r *Requests) First(ctx context.Context, event string) (bool, error) {
	fresh, err := r.client.SetNX(ctx, "event:"+event, "1", 0).Result() // want `setnx-expire: `
	if err != nil {
		return false, err
	}
	if fresh {
		if err := r.client.Expire(ctx, "event:"+event, time.Hour).Err(); err != nil {
			return false, err
		}
	}
	return fresh, nil
}

// A general method that takes the TTL, and gives it with a second command when
// there is one. Counters and values of the type have keys of their own.
type Cache struct{ rdb *redis.Client }

func (c *Cache) AddWithTTL(ctx context.Context, key, value string, seconds int) (bool, error) {
	added, err := c.rdb.SetNX(ctx, key, value, 0).Result() // want `setnx-expire: `
	if err != nil {
		return false, err
	}
	if added && seconds > 0 {
		c.rdb.Expire(ctx, key, time.Duration(seconds)*time.Second)
	}
	return added, nil
}

func (c *Cache) Incr(ctx context.Context, counter string) (int64, error) {
	return c.rdb.Incr(ctx, counter).Result()
}

func (c *Cache) Get(ctx context.Context, name string) (string, error) {
	return c.rdb.Get(ctx, name).Result()
}
