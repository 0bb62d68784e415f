package raw

import (
	"context"
	"crypto/rand"
	"time"

	"github.com/redis/go-redis/v9"
)

// Arguments built in steps, in any order and case [A15].
func bleach(ctx context.Context, rdb *redis.Client, batch string, fn func() error) error {
	key, token := "bleach:"+batch, rand.Text()
	args := []any{"set", key, token, "nx"}
	args = append(args, "px", (30 * time.Second).Milliseconds())
	if rdb.Do(ctx, args...).Err() != nil {
		return errBusy
	}
	defer compareAndDelete.Run(context.WithoutCancel(ctx), rdb, []string{key}, token)
	return fn()
}

// The expiry before NX.
func rinse(ctx context.Context, rdb *redis.Client, batch string, fn func() error) error {
	key, token := "rinse:"+batch, rand.Text()
	if rdb.Do(ctx, "SET", key, token, "EX", int64(30), "nx").Err() != nil {
		return errBusy
	}
	defer compareAndDelete.Run(context.WithoutCancel(ctx), rdb, []string{key}, token)
	return fn()
}

// An option that is a variable may well be the expiry.
func dry(ctx context.Context, rdb *redis.Client, batch, unit string, n int64, fn func() error) error {
	key, token := "dry:"+batch, rand.Text()
	if rdb.Do(ctx, "SET", key, token, "NX", unit, n).Err() != nil {
		return errBusy
	}
	defer compareAndDelete.Run(context.WithoutCancel(ctx), rdb, []string{key}, token)
	return fn()
}

// An absolute deadline.
func iron(ctx context.Context, rdb *redis.Client, batch string, end time.Time, fn func() error) error {
	key, token := "iron:"+batch, rand.Text()
	if rdb.Do(ctx, "SET", key, token, "NX", "PXAT", end.UnixMilli()).Err() != nil {
		return errBusy
	}
	defer compareAndDelete.Run(context.WithoutCancel(ctx), rdb, []string{key}, token)
	return fn()
}

// A seed: never freed, never expired.
func pattern(ctx context.Context, rdb *redis.Client, name string) error {
	return rdb.Do(ctx, "SET", "pattern:"+name, 0, "NX").Err()
}
