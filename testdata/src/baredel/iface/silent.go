package iface

import (
	"context"
	"time"
)

// A marker behind the same interface.
func deliver(ctx context.Context, c client, id string, fn func() error) error {
	first, err := c.SetNX(ctx, "delivered:"+id, 1, 24*time.Hour).Result()
	if err != nil || !first {
		return err
	}
	if err := fn(); err != nil {
		c.Del(ctx, "delivered:"+id)
		return err
	}
	return nil
}
