// Package names has names in the way of the names that a rewrite brings.
package names

import (
	"context"
	stderrs "errors"
	"math/rand"
	"time"

	goredis "github.com/redis/go-redis/v9"
)

func work(ctx context.Context) error { return ctx.Err() }

type token struct{ n int }

// The client is called as its package is, and so are others.
func shadows(ctx context.Context, redis *goredis.Client, errors []error, id string) (status string, err error) {
	key := "shadow:lock:" + id
	ok, err := redis.SetNX(ctx, key, "1", 0).Result()
	if err != nil {
		return "", err
	}
	if !ok {
		return "busy", nil
	}
	if err := redis.Expire(ctx, key, time.Duration(30+rand.Intn(9))*time.Second).Err(); err != nil {
		return "", err
	}
	defer redis.Del(ctx, key)
	status = "done"
	return status, work(ctx)
}

// goredis itself is in the way.
func aliased(ctx context.Context, rdb *goredis.Client, id string, goredis string) error {
	key := "aliased:lock:" + goredis + id
	ok, err := rdb.SetNX(ctx, key, "1", 0).Result()
	if err != nil || !ok {
		return stderrs.New("busy")
	}
	rdb.Expire(ctx, key, 30*time.Second)
	defer rdb.Del(ctx, key)
	return work(ctx)
}

// Two locks in one function share ctx and err.
func two(ctx context.Context, rdb *goredis.Client, a, b string) error {
	first, err := rdb.SetNX(ctx, "first:lock:"+a, "1", 0).Result()
	if err != nil || !first {
		return err
	}
	rdb.Expire(ctx, "first:lock:"+a, time.Minute)
	defer rdb.Del(ctx, "first:lock:"+a)
	second, err := rdb.SetNX(ctx, "second:lock:"+b, "1", 0).Result()
	if err != nil || !second {
		return err
	}
	rdb.Expire(ctx, "second:lock:"+b, time.Minute)
	defer rdb.Del(ctx, "second:lock:"+b)
	return work(ctx)
}

// Generic, with a label and a goto.
func generic[T goredis.Cmdable](ctx context.Context, rdb T, id string) error {
	key := "generic:lock:" + id
retry:
	if ok := rdb.SetNX(ctx, key, "1", time.Minute).Val(); !ok {
		if work(ctx) == nil {
			goto retry
		}
		return nil
	}
	defer rdb.Del(ctx, key)
	return work(ctx)
}

// ok is declared again inside.
func again(ctx context.Context, rdb *goredis.Client, id, owner string) error {
	key := "again:lock:" + id
	ok, err := rdb.SetNX(ctx, key, owner, 0).Result()
	if err != nil || !ok {
		return err
	}
	if ok, err := rdb.Expire(ctx, key, time.Minute).Result(); err != nil || !ok {
		return err
	}
	owner = "somebody else"
	defer rdb.Del(ctx, key)
	return work(ctx)
}

// The name of the owner means another thing where the lock is freed.
func shadowed(ctx context.Context, rdb *goredis.Client, id, owner string) error {
	key := "shadowed:lock:" + id
	if !rdb.SetNX(ctx, key, owner, time.Minute).Val() {
		return nil
	}
	if owner := (token{1}); owner.n > 0 {
		defer rdb.Del(ctx, key)
	}
	return work(ctx)
}

// A method value is no call.
func value(ctx context.Context, rdb *goredis.Client, id, owner string) error {
	key := "value:lock:" + id
	del := rdb.Del
	if !rdb.SetNX(ctx, key, owner, time.Minute).Val() {
		return nil
	}
	defer rdb.Del(ctx, key)
	del(ctx, "value:rows:"+id)
	return work(ctx)
}
