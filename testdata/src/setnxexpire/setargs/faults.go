// Package setargs creates its locks by SetArgs without an expiry [A16].
package setargs

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

var (
	errBusy          = errors.New("busy")
	compareAndDelete = redis.NewScript(`if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) end return 0`)
)

// A literal.
func mill(ctx context.Context, rdb *redis.Client, grain string, fn func() error) error {
	key, token := "mill:"+grain, rand.Text()
	if rdb.SetArgs(ctx, key, token, redis.SetArgs{Mode: "NX"}).Err() != nil { // want `no-ttl: `
		return errBusy
	}
	defer compareAndDelete.Run(context.WithoutCancel(ctx), rdb, []string{key}, token)
	return fn()
}

// A variable, the mode in lower case, in a method pair.
type oven struct {
	rdb *redis.Client
	key string
}

func (o *oven) Acquire(ctx context.Context) (bool, error) {
	args := redis.SetArgs{Mode: "nx"}
	err := o.rdb.SetArgs(ctx, o.key, "1", args).Err() // want `no-ttl: `
	if errors.Is(err, redis.Nil) {
		return false, nil
	}
	return err == nil, err
}

func (o *oven) Release(ctx context.Context) error { return o.rdb.Del(ctx, o.key).Err() }

// The address of a literal; a TTL of nothing is left out by the client.
func bake(ctx context.Context, rdb redis.Cmdable, bread string, fn func()) error {
	args := &redis.SetArgs{Mode: "Nx", TTL: 0}
	status, err := rdb.SetArgs(ctx, "bake:"+bread, rand.Text(), *args).Result() // want `no-ttl: `
	if err != nil || status != "OK" {
		return errBusy
	}
	fn()
	return rdb.Del(ctx, "bake:"+bread).Err()
}

// The expiry comes with a second command [A1].
func proof(ctx context.Context, rdb *redis.Client, dough string, fn func() error) error {
	key := "proof:" + dough
	err := rdb.SetArgs(ctx, key, rand.Text(), redis.SetArgs{Mode: "NX"}).Err() // want `setnx-expire: `
	if errors.Is(err, redis.Nil) {
		return errBusy
	}
	if err != nil {
		return err
	}
	rdb.Expire(ctx, key, time.Minute)
	return fn()
}
