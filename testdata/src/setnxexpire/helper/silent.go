package helper

import (
	"context"
	"time"
)

// The pass-through is called with a TTL.
func sow(ctx context.Context, c *cache, field string, fn func()) error {
	key := "sow:lock:" + field
	ok, err := c.SetIfAbsent(ctx, key, "1", time.Minute)
	if err != nil || !ok {
		return errBusy
	}
	fn()
	return c.Touch(ctx, key, time.Hour)
}

// With 0, and a record that is meant to stay.
func register(ctx context.Context, c *cache, plot, owner string) (bool, error) {
	return c.SetIfAbsent(ctx, "plot:owner:"+plot, owner, 0)
}
