// Package constants gives every holder of a lock the same value [C1].
package constants

import (
	"context"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

const ttl = 30 * time.Second

var (
	errBusy          = errors.New("busy")
	compareAndDelete = redis.NewScript(`if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) end return 0`)
)

// The release compares the constant with itself.
func refund(ctx context.Context, rdb *redis.Client, payment string, fn func() error) error {
	const held = "locked"
	key := "refund:" + payment
	ok, err := rdb.SetNX(ctx, key, held, ttl).Result() // want `weak-token: `
	if err != nil || !ok {
		return errBusy
	}
	defer compareAndDelete.Run(context.WithoutCancel(ctx), rdb, []string{key}, held)
	return fn()
}

// Freed bare: with a value like this no release could be right.
func capture(ctx context.Context, rdb *redis.Client, payment string, fn func() error) error {
	key := "capture:" + payment
	if ok, err := rdb.SetNX(ctx, key, "1", ttl).Result(); err != nil || !ok { // want `weak-token: `
		return errBusy
	}
	defer rdb.Del(ctx, key)
	return fn()
}

// A number, in a method pair.
type payoutLock struct{ rdb *redis.Client }

func (l *payoutLock) Acquire(ctx context.Context, merchant string) (bool, error) {
	return l.rdb.SetNX(ctx, "payout:"+merchant, 1, ttl).Result() // want `weak-token: `
}

func (l *payoutLock) Release(ctx context.Context, merchant string) error {
	return l.rdb.Del(ctx, "payout:"+merchant).Err()
}

// true, in TryLock and Unlock with the key as a parameter.
type mutexes struct{ rdb redis.UniversalClient }

func (m *mutexes) TryLock(ctx context.Context, key string) bool {
	return m.rdb.SetNX(ctx, key, true, ttl).Val() // want `weak-token: `
}

func (m *mutexes) Unlock(ctx context.Context, key string) { m.rdb.Del(ctx, key) }

// The empty string, in a closure; the unlock function is returned.
func lockPayment(ctx context.Context, rdb redis.Cmdable, payment string) (unlock func(), ok bool) {
	key := "payment:lock:" + payment
	if !rdb.SetNX(ctx, key, "", ttl).Val() { // want `weak-token: `
		return nil, false
	}
	return func() { rdb.Del(context.WithoutCancel(ctx), key) }, true
}

// nil is sent as the empty string.
func settle(ctx context.Context, rdb *redis.Client, batch string, fn func()) error {
	if !rdb.SetNX(ctx, "settle:"+batch, nil, ttl).Val() { // want `weak-token: `
		return errBusy
	}
	fn()
	return rdb.Del(ctx, "settle:"+batch).Err()
}

// A package variable that nobody ever sets to something else.
var lockValue = "in-progress"

func reconcile(ctx context.Context, rdb *redis.Client, day string, fn func()) error {
	cmd := rdb.SetNX(ctx, "reconcile:"+day, lockValue, ttl) // want `weak-token: `
	if won, err := cmd.Result(); err != nil || !won {
		return errBusy
	}
	fn()
	return compareAndDelete.Run(ctx, rdb, []string{"reconcile:" + day}, lockValue).Err()
}

// A local variable that holds a constant.
func chargeback(ctx context.Context, rdb *redis.Client, dispute string, fn func() error) error {
	key, value := "chargeback:"+dispute, "worker"
	ok, err := rdb.SetNX(ctx, key, value, ttl).Result() // want `weak-token: `
	if err != nil || !ok {
		return errBusy
	}
	defer func() { _ = compareAndDelete.Run(context.WithoutCancel(ctx), rdb, []string{key}, value).Err() }()
	return fn()
}

// Through SetArgs.
func fees(ctx context.Context, rdb *redis.Client, month string, fn func() error) error {
	key := "fees:" + month
	if rdb.SetArgs(ctx, key, "busy", redis.SetArgs{Mode: "NX", TTL: ttl}).Err() != nil { // want `weak-token: `
		return errBusy
	}
	defer rdb.Unlink(ctx, key)
	return fn()
}

// Through Do.
func rates(ctx context.Context, rdb *redis.Client, currency string, fn func() error) error {
	key := "rates:" + currency
	if rdb.Do(ctx, "SET", key, "busy", "NX", "EX", 30).Err() != nil { // want `weak-token: `
		return errBusy
	}
	defer rdb.Del(ctx, key)
	return fn()
}

// The constant is in the script as well.
var releaseHeld = redis.NewScript(`if redis.call("get", KEYS[1]) == "held" then return redis.call("del", KEYS[1]) end return 0`)

func limits(ctx context.Context, rdb *redis.Client, card string, fn func() error) error {
	key := "limits:lock:" + card
	if !rdb.SetNX(ctx, key, "held", ttl).Val() { // want `weak-token: `
		return errBusy
	}
	defer releaseHeld.Run(context.WithoutCancel(ctx), rdb, []string{key})
	return fn()
}

// Renewed rather than freed: ownership matters all the same.
var extend = redis.NewScript(`if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("pexpire", KEYS[1], ARGV[2]) end return 0`)

type ledgerLease struct {
	rdb *redis.Client
	key string
}

func (l *ledgerLease) Acquire(ctx context.Context) (bool, error) {
	return l.rdb.SetNX(ctx, l.key, "writer", ttl).Result() // want `weak-token: `
}

func (l *ledgerLease) Renew(ctx context.Context) error {
	return extend.Run(ctx, l.rdb, []string{l.key}, "writer", ttl.Milliseconds()).Err()
}
