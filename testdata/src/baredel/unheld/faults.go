// Package unheld frees a lock that the caller does not hold [D2, D3].
package unheld

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

var errBusy = errors.New("busy")

var compareAndDelete = redis.NewScript(`if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) end return 0`)

func do(ctx context.Context) error { return ctx.Err() }

// D2: the defer is one line too early, so every loser frees the winner's lock.
func bill(ctx context.Context, rdb *redis.Client, customer string) error {
	key := "billing:lock:" + customer
	ok, err := rdb.SetNX(ctx, key, rand.Text(), time.Minute).Result()
	defer rdb.Del(ctx, key) // want `release-unheld: `
	if err != nil || !ok {
		return errBusy
	}
	return do(ctx)
}

// D2 in a literal that asks nothing.
func renderReport(ctx context.Context, rdb redis.UniversalClient, report string) error {
	key := "report:" + report + ":mutex"
	won := rdb.SetNX(ctx, key, rand.Text(), time.Minute)
	defer func() {
		_ = rdb.Del(context.WithoutCancel(ctx), key).Err() // want `release-unheld: `
	}()
	if !won.Val() {
		return errBusy
	}
	return do(ctx)
}

// D2 with the defer before the attempt itself.
type syncer struct {
	rdb     *redis.Client
	lockKey string
}

func (s *syncer) run(ctx context.Context) error {
	defer s.rdb.Unlink(ctx, s.lockKey) // want `release-unheld: `
	if ok, err := s.rdb.SetNX(ctx, s.lockKey, "1", time.Minute).Result(); err != nil || !ok {
		return errBusy
	}
	return do(ctx)
}

// D3: "clears a stale lock" and frees a live one. The lock is freed with an owner
// check where it was acquired, so it is a lock beyond doubt.
func purge(ctx context.Context, rdb *redis.Client, bucket string) error {
	key, token := "purge:lock:"+bucket, rand.Text()
	ok, err := rdb.SetNX(ctx, key, token, time.Minute).Result()
	if err != nil {
		return err
	}
	if !ok {
		rdb.Del(ctx, key) // want `release-unheld: `
		return errBusy
	}
	defer compareAndDelete.Run(context.WithoutCancel(ctx), rdb, []string{key}, token)
	return do(ctx)
}

// D3 in the else branch of a retry loop: the next turn then takes the lock away
// from whoever holds it.
func takeOver(ctx context.Context, rdb *redis.Client, partition string) error {
	key, token := "lock:partition:"+partition, rand.Text()
	for range 2 {
		if rdb.SetNX(ctx, key, token, time.Minute).Val() {
			defer compareAndDelete.Run(context.WithoutCancel(ctx), rdb, []string{key}, token)
			return do(ctx)
		} else {
			rdb.Unlink(ctx, key) // want `release-unheld: `
		}
	}
	return errBusy
}

// D3 in a switch.
func rotate(ctx context.Context, rdb *redis.Client, name string) error {
	lock, token := "rotate:lock:"+name, rand.Text()
	switch ok, err := rdb.SetNX(ctx, lock, token, time.Minute).Result(); {
	case err != nil:
		return err
	case !ok:
		_ = rdb.Del(ctx, lock).Err() // want `release-unheld: `
		return errBusy
	default:
		err := do(ctx)
		compareAndDelete.Run(ctx, rdb, []string{lock}, token)
		return err
	}
}
