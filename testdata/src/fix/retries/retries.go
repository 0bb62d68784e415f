// Package retries acquires in func literals that another package runs.
package retries

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/locklint/locklint/testdata/src/fix/retries/retry"
)

const ttl = time.Minute

var errBusy = errors.New("busy")

func work(ctx context.Context) error { return ctx.Err() }

// A package for it, and a local that holds the literal.
func elsewhere(ctx context.Context, rdb *redis.Client, id string) error {
	key := "elsewhere:lock:" + id
	acquire := func() error {
		if !rdb.SetNX(ctx, key, rand.Text(), ttl).Val() {
			return errBusy
		}
		return nil
	}
	if err := retry.Do(acquire); err != nil {
		return err
	}
	defer rdb.Del(ctx, key)
	return work(ctx)
}

// Nobody knows when this one runs.
func later(ctx context.Context, rdb *redis.Client, id string) error {
	key := "later:lock:" + id
	retry.Later(func() { rdb.SetNX(ctx, key, "1", ttl) })
	defer rdb.Del(ctx, key)
	return work(ctx)
}
