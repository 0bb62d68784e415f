// Package methods spreads the two commands over methods of one type.
package methods

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"
)

// The Expire is in a method that the acquiring one calls.
type wardLock struct {
	rdb  *redis.Client
	ward int
	ttl  time.Duration
}

func (l *wardLock) key() string { return fmt.Sprintf("ward:%d", l.ward) }

func (l *wardLock) Acquire(ctx context.Context) (bool, error) {
	ok, err := l.rdb.SetNX(ctx, l.key(), "1", 0).Result() // want `setnx-expire: `
	if err != nil || !ok {
		return false, err
	}
	return true, l.refresh(ctx)
}

func (l *wardLock) refresh(ctx context.Context) error {
	return l.rdb.Expire(ctx, "ward:"+strconv.Itoa(l.ward), l.ttl).Err()
}

// The free is in another method: one fault, one report.
func (l *wardLock) Release(ctx context.Context) error { return l.rdb.Del(ctx, l.key()).Err() }

// The key is a parameter of Lock and Unlock, so it is the helper that is wrong.
type registry struct{ rdb redis.UniversalClient }

func (r *registry) Lock(ctx context.Context, key string, ttl time.Duration) bool {
	if r.rdb.SetNX(ctx, key, "1", 0).Val() { // want `setnx-expire: `
		r.rdb.Expire(ctx, key, ttl)
		return true
	}
	return false
}

func (r *registry) Unlock(ctx context.Context, key string) { r.rdb.Del(ctx, key) }

func admit(ctx context.Context, r *registry, patient string, fn func()) {
	if r.Lock(ctx, "patient:"+patient, time.Minute) {
		defer r.Unlock(ctx, "patient:"+patient)
		fn()
	}
}

// An embedded client, by value in a generic type.
type base struct{ *redis.Client }

type roster[T any] struct {
	base
	shifts []T
}

func (r roster[T]) TryLock(ctx context.Context, day string) bool {
	if won, err := r.SetNX(ctx, "roster:"+day, 1, 0).Result(); err != nil || !won { // want `setnx-expire: `
		return false
	}
	return r.Expire(ctx, "roster:"+day, time.Hour).Err() == nil
}
