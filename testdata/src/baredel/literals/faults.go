// Package literals frees through function values: literals with a parameter,
// clean-ups that are registered and run by others.
package literals

import (
	"context"
	"crypto/rand"
	"errors"
	"log"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

const ttl = time.Minute

var errBusy = errors.New("busy")

// The literal has the key as a parameter of its own. It is called once, with the
// lock.
func sow(ctx context.Context, rdb *redis.Client, field string, fn func()) error {
	free := func(k string) {
		if err := rdb.Del(context.WithoutCancel(ctx), k).Err(); err != nil { // want `unowned-release: `
			log.Print(err)
		}
	}
	key := "field:lock:" + field
	ok, err := rdb.SetNX(ctx, key, rand.Text(), ttl).Result()
	if err != nil || !ok {
		return errBusy
	}
	defer free(key)
	fn()
	return nil
}

// A clean-up that the caller of the function runs at its end.
type Day struct{ atEnd []func() }

func (d *Day) AtEnd(f func()) { d.atEnd = append(d.atEnd, f) }

func (d *Day) lockBarn(ctx context.Context, rdb *redis.Client, barn string) bool {
	key := "barn:lock:" + barn
	ok, err := rdb.SetNX(ctx, key, rand.Text(), ttl).Result()
	if err != nil || !ok {
		return false
	}
	d.AtEnd(func() { rdb.Del(context.WithoutCancel(ctx), key) }) // want `unowned-release: `
	return true
}

// When the ctx ends, which may be long after the TTL did.
func lockGate(ctx context.Context, rdb *redis.Client, gate string) bool {
	key := "gate:lock:" + gate
	ok, err := rdb.SetNX(ctx, key, rand.Text(), ttl).Result()
	if err != nil || !ok {
		return false
	}
	context.AfterFunc(ctx, func() {
		rdb.Del(context.WithoutCancel(ctx), key) // want `unowned-release: `
	})
	return true
}

// Once, and so not twice; whose lock it is, Once does not know.
func lockSilo(ctx context.Context, rdb *redis.Client, silo string) (func(), error) {
	key := "silo:lock:" + silo
	ok, err := rdb.SetNX(ctx, key, rand.Text(), ttl).Result()
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, errBusy
	}
	var once sync.Once
	return func() {
		once.Do(func() { rdb.Del(context.WithoutCancel(ctx), key) }) // want `unowned-release: `
	}, nil
}

// In a goroutine that waits for a channel.
func lockWell(ctx context.Context, rdb *redis.Client, well string, done <-chan struct{}) bool {
	key := "well:lock:" + well
	ok, err := rdb.SetNX(ctx, key, rand.Text(), ttl).Result()
	if err != nil || !ok {
		return false
	}
	go func() {
		<-done
		rdb.Del(context.WithoutCancel(ctx), key) // want `unowned-release: `
	}()
	return true
}

// A named result for the function that frees, set on one path only.
type Herd struct {
	client redis.Cmdable
	prefix string
}

func (h *Herd) lockKey(cow string) string { return h.prefix + "lock:" + cow }

func (h *Herd) TryMilk(ctx context.Context, cow, milker string) (ok bool, free func(), err error) {
	key := h.lockKey(cow)
	ok, err = h.client.SetNX(ctx, key, milker, ttl).Result()
	if err != nil || !ok {
		return false, nil, err
	}
	free = func() {
		h.client.Del(context.WithoutCancel(ctx), key) // want `unowned-release: `
	}
	return true, free, nil
}

// A handler around handlers: key, lock and work are all inside the literal.
type Handler func(ctx context.Context, user string)

func oneAtATime(rdb *redis.Client, prefix string) func(Handler) Handler {
	return func(next Handler) Handler {
		return func(ctx context.Context, user string) {
			key := prefix + ":" + user
			ok, err := rdb.SetNX(ctx, key, rand.Text(), ttl).Result()
			if err != nil || !ok {
				return
			}
			defer rdb.Del(context.WithoutCancel(ctx), key) // want `unowned-release: `
			next(ctx, user)
		}
	}
}
