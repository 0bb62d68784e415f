package setargs

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

// The TTL is set apart from the literal.
func sieve(ctx context.Context, rdb *redis.Client, flour string, fn func() error) error {
	key, token := "sieve:"+flour, rand.Text()
	args := redis.SetArgs{Mode: "nx"}
	args.TTL = 30 * time.Second
	if err := rdb.SetArgs(ctx, key, token, args).Err(); errors.Is(err, redis.Nil) {
		return errBusy
	} else if err != nil {
		return err
	}
	defer compareAndDelete.Run(context.WithoutCancel(ctx), rdb, []string{key}, token)
	return fn()
}

// An absolute deadline, set in a branch.
func knead(ctx context.Context, rdb *redis.Client, dough string, end time.Time, fn func() error) error {
	key, token := "knead:"+dough, rand.Text()
	args := redis.SetArgs{Mode: "NX", TTL: time.Minute}
	if !end.IsZero() {
		args.TTL, args.ExpireAt = 0, end
	}
	if rdb.SetArgs(ctx, key, token, args).Err() != nil {
		return errBusy
	}
	defer compareAndDelete.Run(context.WithoutCancel(ctx), rdb, []string{key}, token)
	return fn()
}

// A helper makes the arguments.
func lockArgs(d time.Duration) redis.SetArgs { return redis.SetArgs{Mode: "NX", TTL: d} }

func shape(ctx context.Context, rdb *redis.Client, loaf string, fn func() error) error {
	key, token := "shape:"+loaf, rand.Text()
	if rdb.SetArgs(ctx, key, token, lockArgs(time.Minute)).Err() != nil {
		return errBusy
	}
	defer compareAndDelete.Run(context.WithoutCancel(ctx), rdb, []string{key}, token)
	return fn()
}

// A helper fills them in.
func withTTL(args *redis.SetArgs) { args.TTL = time.Minute }

func glaze(ctx context.Context, rdb *redis.Client, bun string, fn func() error) error {
	key, token := "glaze:"+bun, rand.Text()
	args := redis.SetArgs{Mode: "NX"}
	withTTL(&args)
	if rdb.SetArgs(ctx, key, token, args).Err() != nil {
		return errBusy
	}
	defer compareAndDelete.Run(context.WithoutCancel(ctx), rdb, []string{key}, token)
	return fn()
}

// First writer wins, no expiry wanted.
func recipe(ctx context.Context, rdb *redis.Client, bread, author string) error {
	return rdb.SetArgs(ctx, "recipe:"+bread, author, redis.SetArgs{Mode: "NX"}).Err()
}

// A mode that nobody can see.
func store(ctx context.Context, rdb *redis.Client, key, mode string, fn func()) {
	if rdb.SetArgs(ctx, "store:"+key, 1, redis.SetArgs{Mode: mode}).Err() == nil {
		fn()
		rdb.Del(ctx, "store:"+key)
	}
}
