//locklint:test passes=baredel

// Package dispatch acquires what a package that it imports frees. That package was
// analysed before this one, so the report stands here, at the acquiring call.
package dispatch

import (
	"context"
	"crypto/rand"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/locklint/locklint/testdata/src/cross/pairs/registry"
)

type Dispatcher struct {
	rdb      *redis.Client
	registry *registry.Registry
}

func (d *Dispatcher) Acquire(ctx context.Context, courier string) (bool, error) {
	return d.rdb.SetNX(ctx, "courier:lock:"+courier, rand.Text(), time.Minute).Result() // want `unowned-release: `
}
