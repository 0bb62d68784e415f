// Package together has locks whose fixes can only be made together.
package together

import (
	"context"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

const ttl = 20 * time.Second

var errBusy = errors.New("busy")

func work(ctx context.Context) error { return ctx.Err() }

// One command frees two locks.
func bothDeferred(ctx context.Context, rdb *redis.Client, from, to string) error {
	if !rdb.SetNX(ctx, "both:lock:"+from, "1", ttl).Val() {
		return errBusy
	}
	if !rdb.SetNX(ctx, "and:lock:"+to, "1", ttl).Val() {
		rdb.Del(ctx, "both:lock:"+from)
		return errBusy
	}
	defer rdb.Del(ctx, "both:lock:"+from, "and:lock:"+to)
	return work(ctx)
}

// Two locks and what is none, whose error is returned.
func bothReturned(ctx context.Context, rdb *redis.Client, id, one, two string) error {
	first, second := "first:lock:"+id, "second:lock:"+id
	if !rdb.SetNX(ctx, first, one, ttl).Val() || !rdb.SetNX(ctx, second, two, ttl).Val() {
		return errBusy
	}
	_ = work(ctx)
	return rdb.Del(ctx, first, "progress:"+id, second).Err()
}

// The answer is dropped; nothing but the locks is deleted.
func bothDropped(ctx context.Context, rdb *redis.Client, id, token string) error {
	left, right := "left:lock:"+id, "right:lock:"+id
	if !rdb.SetNX(ctx, left, token, ttl).Val() {
		return errBusy
	}
	if !rdb.SetNX(ctx, right, token, ttl).Val() {
		rdb.Del(ctx, left)
		return errBusy
	}
	_ = work(ctx)
	_ = rdb.Unlink(ctx, left, right).Err()
	return nil
}

// How many keys are gone is asked: no script tells.
func bothCounted(ctx context.Context, rdb *redis.Client, id, token string) (int64, error) {
	near, far := "near:lock:"+id, "far:lock:"+id
	if !rdb.SetNX(ctx, near, token, ttl).Val() || !rdb.SetNX(ctx, far, token, ttl).Val() {
		return 0, errBusy
	}
	_ = work(ctx)
	return rdb.Del(ctx, near, far).Result()
}

// The tokens are declared at one place.
func bothAsked(ctx context.Context, rdb *redis.Client, id string) error {
	upper, lower := "upper:lock:"+id, "lower:lock:"+id
	if !rdb.SetNX(ctx, upper, "1", 0).Val() || !rdb.SetNX(ctx, lower, "1", ttl).Val() {
		return errBusy
	}
	rdb.Expire(ctx, upper, ttl)
	defer rdb.Del(ctx, upper)
	defer rdb.Del(ctx, lower)
	return work(ctx)
}

// One of three is shown to people: its token stays what it is.
func twoOfThree(ctx context.Context, rdb *redis.Client, id string) error {
	a, b, c := "one:lock:"+id, "two:lock:"+id, "three:lock:"+id
	if !rdb.SetNX(ctx, a, "1", ttl).Val() || !rdb.SetNX(ctx, b, "1", ttl).Val() || !rdb.SetNX(ctx, c, "1", ttl).Val() {
		return errors.New("held by " + rdb.Get(ctx, b).Val())
	}
	defer rdb.Del(ctx, a, b, c)
	return work(ctx)
}
