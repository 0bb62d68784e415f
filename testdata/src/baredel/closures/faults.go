// Package closures frees a lock inside a function literal.
package closures

import (
	"context"
	"crypto/rand"
	"errors"
	"log"
	"time"

	"github.com/redis/go-redis/v9"
	"golang.org/x/sync/errgroup"
)

var errBusy = errors.New("busy")

func run(ctx context.Context, what string) error { return ctx.Err() }

// A deferred literal, with a fresh ctx: right about the ctx, wrong about the owner.
func payout(ctx context.Context, rdb *redis.Client, merchant string) error {
	key := "payout:" + merchant
	ok, err := rdb.SetNX(ctx, key, rand.Text(), time.Minute).Result()
	if err != nil || !ok {
		return errBusy
	}
	defer func() {
		if err := rdb.Del(context.Background(), key).Err(); err != nil { // want `unowned-release: `
			log.Printf("payout: %v", err)
		}
	}()
	return run(ctx, merchant)
}

// The literal stands before the check but asks for ok itself: only the owner
// gets to the Del, which still does not compare.
func sweep(ctx context.Context, rdb *redis.Client, bucket string) error {
	key := "sweep:" + bucket
	ok, err := rdb.SetNX(ctx, key, rand.Text(), time.Minute).Result()
	defer func() {
		if ok {
			rdb.Del(ctx, key) // want `unowned-release: `
		}
	}()
	if err != nil || !ok {
		return errBusy
	}
	return run(ctx, bucket)
}

// The lock goes into the goroutine together with the work.
func warm(ctx context.Context, rdb *redis.Client, region string) {
	key := "warm:" + region
	if !rdb.SetNX(ctx, key, "1", time.Minute).Val() {
		return
	}
	go func() {
		defer rdb.Del(ctx, key) // want `unowned-release: `
		_ = run(ctx, region)
	}()
}

// One lock a worker of an errgroup.
func syncAll(ctx context.Context, rdb *redis.Client, regions []string) error {
	g, ctx := errgroup.WithContext(ctx)
	for _, region := range regions {
		g.Go(func() error {
			key := "region:sync:" + region
			if ok, err := rdb.SetNX(ctx, key, rand.Text(), time.Minute).Result(); err != nil || !ok {
				return err
			}
			defer rdb.Del(ctx, key) // want `unowned-release: `
			return run(ctx, region)
		})
	}
	return g.Wait()
}

// The unlock function is handed to the caller.
func lockCart(ctx context.Context, rdb *redis.Client, cart string) (unlock func(), err error) {
	key := "cart:" + cart + ":lock"
	ok, err := rdb.SetNX(ctx, key, "1", 15*time.Second).Result()
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, errBusy
	}
	return func() {
		rdb.Del(context.WithoutCancel(ctx), key) // want `unowned-release: `
	}, nil
}

// Acquire and release are two literals of one function.
func drain(ctx context.Context, rdb *redis.Client, queue string) error {
	key := "lock:drain:" + queue
	acquire := func() bool { return rdb.SetNX(ctx, key, rand.Text(), time.Minute).Val() }
	release := func() { rdb.Del(ctx, key) } // want `unowned-release: `
	if !acquire() {
		return errBusy
	}
	defer release()
	return run(ctx, queue)
}
