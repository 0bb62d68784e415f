package layers

import (
	"context"
	"time"
)

// The same wrappers for things that last: the TTL of nothing is meant.
func pattern(ctx context.Context, o *Old, cloth, drawing string) error {
	_, err := o.SetNX(ctx, "pattern:"+cloth, drawing)
	return err
}

func owner(ctx context.Context, c *Checked, loom, weaver string) (bool, error) {
	return c.SetIfAbsent(ctx, "loom:owner:"+loom, weaver)
}

func enrol(ctx context.Context, g *Guarded, weaver string) (bool, error) {
	return g.SetNX(ctx, "weaver:"+weaver, time.Now().Format(time.RFC3339))
}
