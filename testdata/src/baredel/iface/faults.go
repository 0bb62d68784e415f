// Package iface narrows the client to an interface of its own.
package iface

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

var errBusy = errors.New("busy")

// The part of the client that is needed, with the results of the library.
type client interface {
	SetNX(ctx context.Context, key string, value any, expiration time.Duration) *redis.BoolCmd
	Get(ctx context.Context, key string) *redis.StringCmd
	Del(ctx context.Context, keys ...string) *redis.IntCmd
}

func dispatch(ctx context.Context, c client, courier string, fn func() error) error {
	key := "courier:" + courier
	ok, err := c.SetNX(ctx, key, rand.Text(), time.Minute).Result()
	if err != nil || !ok {
		return errBusy
	}
	defer c.Del(ctx, key) // want `unowned-release: `
	return fn()
}

type routeLocks struct{ c client }

func (r *routeLocks) Lock(ctx context.Context, route string) bool {
	return r.c.SetNX(ctx, "route:"+route, "1", time.Minute).Val()
}

func (r *routeLocks) Unlock(ctx context.Context, route string) {
	r.c.Del(ctx, "route:"+route) // want `unowned-release: `
}
