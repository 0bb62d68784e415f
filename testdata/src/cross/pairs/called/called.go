//locklint:test passes=baredel

// Package called acquires itself and calls the free of a package that it imports:
// the report stands at that call.
package called

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/locklint/locklint/testdata/src/cross/pairs/registry"
)

var errBusy = errors.New("busy")

func Deliver(ctx context.Context, rdb *redis.Client, r *registry.Registry, courier string, fn func() error) error {
	ok, err := rdb.SetNX(ctx, "courier:lock:"+courier, rand.Text(), time.Minute).Result()
	if err != nil || !ok {
		return errBusy
	}
	defer r.Release(ctx, courier) // want `unowned-release: `
	return fn()
}
