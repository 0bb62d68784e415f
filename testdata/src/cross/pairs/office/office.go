//locklint:test passes=baredel

// Package office calls both sides, each in a package of its own: the report stands
// at its call of the free.
package office

import (
	"context"
	"errors"

	"github.com/redis/go-redis/v9"

	"github.com/locklint/locklint/testdata/src/cross/pairs/claims"
	"github.com/locklint/locklint/testdata/src/cross/pairs/payments"
)

var errBusy = errors.New("busy")

func Pay(ctx context.Context, rdb *redis.Client, claim int64, fn func() error) error {
	_, ok, err := claims.Acquire(ctx, rdb, claim)
	if err != nil || !ok {
		return errBusy
	}
	defer payments.Release(ctx, rdb, claims.Key(claim)) // want `unowned-release: `
	return fn()
}

// In two methods.
type Desk struct{ rdb *redis.Client }

func (d *Desk) Lock(ctx context.Context, claim int64) (bool, error) {
	_, ok, err := claims.Acquire(ctx, d.rdb, claim)
	return ok, err
}

func (d *Desk) Unlock(ctx context.Context, claim int64) error {
	return payments.Release(ctx, d.rdb, claims.Key(claim)) // want `unowned-release: `
}
