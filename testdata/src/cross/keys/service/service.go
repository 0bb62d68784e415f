//locklint:test passes=baredel

// Package service builds its keys with another package.
package service

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/locklint/locklint/testdata/src/cross/keys/keys"
)

var errBusy = errors.New("busy")

// A constant of the other package.
func maintain(ctx context.Context, rdb *redis.Client, fn func() error) error {
	if ok, err := rdb.SetNX(ctx, keys.Maintenance, rand.Text(), time.Hour).Result(); err != nil || !ok {
		return errBusy
	}
	defer rdb.Del(ctx, keys.Maintenance) // want `unowned-release: `
	return fn()
}

// A helper function, called on both sides.
type orders struct{ rdb *redis.Client }

func (o *orders) Acquire(ctx context.Context, id int64) bool {
	return o.rdb.SetNX(ctx, keys.Order(id), "1", time.Minute).Val()
}

func (o *orders) Release(ctx context.Context, id int64) {
	o.rdb.Del(ctx, keys.Order(id)) // want `unowned-release: `
}

// A helper function on one side, its text on the other.
func rent(ctx context.Context, rdb *redis.Client, tenant string, fn func()) error {
	if !rdb.SetNX(ctx, keys.Tenant(tenant, "rent"), rand.Text(), time.Minute).Val() {
		return errBusy
	}
	fn()
	return rdb.Del(ctx, "tenant:"+tenant+":rent").Err() // want `unowned-release: `
}

// A format.
func pick(ctx context.Context, rdb *redis.Client, depot, sku string, fn func()) error {
	if !rdb.SetNX(ctx, fmt.Sprintf(keys.StockFormat, depot, sku), rand.Text(), time.Minute).Val() {
		return errBusy
	}
	fn()
	return rdb.Del(ctx, "stock:"+depot+":"+sku).Err() // want `unowned-release: `
}

// A helper method.
func lockDesk(ctx context.Context, rdb *redis.Client, s keys.Scope, desk string) bool {
	return rdb.SetNX(ctx, s.Mutex(desk), "1", time.Minute).Val()
}

func unlockDesk(ctx context.Context, rdb *redis.Client, s keys.Scope, desk string) {
	rdb.Del(ctx, s.Mutex(desk)) // want `unowned-release: `
}

// The same helper, another argument.
func moveRent(ctx context.Context, rdb *redis.Client, from, to string, fn func()) error {
	if !rdb.SetNX(ctx, keys.Tenant(to, "move"), rand.Text(), time.Minute).Val() {
		return errBusy
	}
	fn()
	return rdb.Del(ctx, keys.Tenant(from, "move")).Err()
}
