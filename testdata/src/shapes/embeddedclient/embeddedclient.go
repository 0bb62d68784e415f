// Package embeddedclient calls the promoted methods of an embedded client.
package embeddedclient

import (
	"context"
	"crypto/rand"
	"time"

	"github.com/redis/go-redis/v9"
)

type Redis struct {
	*redis.Client
	prefix string
}

func (r *Redis) Exclusive(ctx context.Context, job string, work func() error) error {
	key := r.prefix + ":lock:" + job
	if ok, err := r.SetNX(ctx, key, rand.Text(), 30*time.Second).Result(); err != nil || !ok {
		return err
	}
	defer r.Del(ctx, key)
	return work()
}
