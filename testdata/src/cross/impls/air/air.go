//locklint:test passes=baredel

// Package air ships under a lock of its own, with the key of its sibling.
package air

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
)

type Carrier struct{ Rdb *redis.Client }

func (c *Carrier) Ship(ctx context.Context, work func() error) error {
	ok, err := c.Rdb.SetNX(ctx, "lock:ship", 1, 30*time.Second).Result()
	if err != nil || !ok {
		return err
	}
	defer c.Rdb.Del(ctx, "lock:ship") // want `unowned-release: `
	return work()
}
