//locklint:test passes=baredel

// Package adjust frees what a package that it imports acquired: the report stands
// at the free.
package adjust

import (
	"context"
	"errors"
	"strconv"

	"github.com/redis/go-redis/v9"

	"github.com/locklint/locklint/testdata/src/cross/pairs/claims"
)

var errBusy = errors.New("busy")

// In one function.
func Adjust(ctx context.Context, rdb *redis.Client, id int64, fn func() error) error {
	_, ok, err := claims.Acquire(ctx, rdb, id)
	if err != nil || !ok {
		return errBusy
	}
	defer rdb.Del(ctx, claims.Key(id)) // want `unowned-release: `
	return fn()
}

// In a function that is named like a release, the key written out.
func ReleaseClaim(ctx context.Context, rdb *redis.Client, id int64) error {
	return rdb.Del(ctx, "claim:lock:"+strconv.FormatInt(id, 10)).Err() // want `unowned-release: `
}
