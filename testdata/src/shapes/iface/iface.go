// Package iface knows its client as an interface of its own and imports no Redis.
package iface

import (
	"context"
	"time"
)

type Cache interface {
	SetNX(ctx context.Context, key string, value any, ttl time.Duration) (bool, error)
	Del(ctx context.Context, keys ...string) error
}

func Run(ctx context.Context, c Cache, job string, work func() error) error {
	key := "lock:job:" + job
	ok, err := c.SetNX(ctx, key, "1", 30*time.Second)
	if err != nil || !ok {
		return err
	}
	defer c.Del(ctx, key)
	return work()
}
