// Package genericreceiver takes and frees a lock in methods of a generic type.
package genericreceiver

import (
	"context"
	"crypto/rand"
	"time"

	"github.com/redis/go-redis/v9"
)

type Guard[C redis.Cmdable, T any] struct {
	client C
	name   string
	load   func(context.Context) (T, error)
}

func (g *Guard[C, T]) Lock(ctx context.Context) (bool, error) {
	return g.client.SetNX(ctx, "lock:"+g.name, rand.Text(), 30*time.Second).Result()
}

func (g *Guard[C, T]) Unlock(ctx context.Context) error {
	return g.client.Del(ctx, "lock:"+g.name).Err()
}
