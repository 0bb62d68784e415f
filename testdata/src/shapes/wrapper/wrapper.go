// Package wrapper takes and frees a lock through general helpers.
package wrapper

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
)

type Cache struct{ rdb *redis.Client }

func (c *Cache) SetIfAbsent(ctx context.Context, key string, value any, ttl time.Duration) (bool, error) {
	return c.rdb.SetNX(ctx, key, value, ttl).Result()
}

func (c *Cache) Delete(ctx context.Context, key string) error {
	return c.rdb.Del(ctx, key).Err()
}

func Run(ctx context.Context, c *Cache, job string, work func() error) error {
	key := "lock:job:" + job
	ok, err := c.SetIfAbsent(ctx, key, "1", 30*time.Second)
	if err != nil || !ok {
		return err
	}
	defer c.Delete(ctx, key)
	return work()
}
