// Package otherfrees frees unconditionally without saying Del [D17].
package otherfrees

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

var errBusy = errors.New("busy")

// DELEX without a condition is DEL.
type stageLock struct {
	rdb        *redis.Client
	key, token string
}

func (l *stageLock) Acquire(ctx context.Context) (bool, error) {
	return l.rdb.SetNX(ctx, l.key, l.token, time.Minute).Result()
}

func (l *stageLock) Release(ctx context.Context) error {
	return l.rdb.DelExArgs(ctx, l.key, redis.DelExArgs{}).Err() // want `unowned-release: `
}

// IFNE frees everybody's lock but ours.
type lineLock struct {
	rdb        *redis.Client
	key, token string
}

func (l *lineLock) TryLock(ctx context.Context) bool {
	return l.rdb.SetNX(ctx, l.key, l.token, time.Minute).Val()
}

func (l *lineLock) Unlock(ctx context.Context) {
	l.rdb.DelExArgs(ctx, l.key, redis.DelExArgs{Mode: "IFNE", MatchValue: l.token}) // want `unowned-release: `
}

// A TTL of nothing deletes.
func assemble(ctx context.Context, rdb *redis.Client, kit string, fn func() error) error {
	lockKey := "assemble:lock:" + kit
	ok, err := rdb.SetNX(ctx, lockKey, rand.Text(), time.Minute).Result()
	if err != nil || !ok {
		return errBusy
	}
	defer rdb.Expire(context.WithoutCancel(ctx), lockKey, 0) // want `unowned-release: `
	return fn()
}

func acquireBelt(ctx context.Context, rdb redis.Cmdable, belt string) bool {
	return rdb.SetNX(ctx, "lock:belt:"+belt, rand.Text(), time.Minute).Val()
}

func releaseBelt(ctx context.Context, rdb redis.Cmdable, belt string) error {
	const gone = -1 * time.Second
	return rdb.PExpire(ctx, "lock:belt:"+belt, gone).Err() // want `unowned-release: `
}

// Written over with an empty value that is gone in a second: whoever holds the
// lock by now loses it.
func lockGate(ctx context.Context, rdb *redis.Client, gate string) (bool, error) {
	return rdb.SetNX(ctx, "gate:lock:"+gate, rand.Text(), time.Minute).Result()
}

func unlockGate(ctx context.Context, rdb *redis.Client, gate string) error {
	return rdb.Set(ctx, "gate:lock:"+gate, "", time.Second).Err() // want `unowned-release: `
}
