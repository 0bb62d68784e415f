package breaker

import (
	"context"
	"time"
)

// The same wrappers around markers: what they are used for is the callers' affair.
func sampled(ctx context.Context, r *Redis, hole string, fn func() error) error {
	key := "sampled:" + hole
	ok, err := r.SetNXEx(ctx, key, "1", 3600)
	if err != nil || !ok {
		return err
	}
	if err := fn(); err != nil {
		_, _ = r.Del(ctx, key)
		return err
	}
	return nil
}

func mapped(ctx context.Context, c *Checked, hole, blob string) error {
	_, err := c.SetIfAbsent(ctx, "map:"+hole, blob, 24*time.Hour)
	return err
}

func unmapped(ctx context.Context, c *Checked, hole string) error {
	_, err := c.Delete(ctx, "map:"+hole)
	return err
}

func noted(ctx context.Context, o *Old, face string, send func() int) {
	key := "noted:" + face
	if n, err := o.SetNX(ctx, key, "1", time.Hour); err != nil || n != 1 {
		return
	}
	if send() == 0 {
		_ = o.Del(ctx, key)
	}
}
