// Package keys writes one key in two ways.
package keys

import (
	"context"
	"crypto/rand"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

const (
	ttl    = 30 * time.Second
	prefix = "shop"
	sep    = ":"
)

// Concatenation and Sprintf.
func concat(ctx context.Context, rdb *redis.Client, order string, fn func()) {
	if rdb.SetNX(ctx, "concat:"+order+":run", rand.Text(), ttl).Val() {
		fn()
		rdb.Del(ctx, fmt.Sprintf("concat:%s:run", order)) // want `unowned-release: `
	}
}

// Join and constants.
func join(ctx context.Context, rdb *redis.Client, order string, fn func()) {
	if rdb.SetNX(ctx, strings.Join([]string{prefix, "join", order}, sep), rand.Text(), ttl).Val() {
		fn()
		rdb.Del(ctx, prefix+":join:"+order) // want `unowned-release: `
	}
}

// strconv and %d.
func number(ctx context.Context, rdb *redis.Client, id int, fn func()) {
	key := "number:" + strconv.Itoa(id)
	if rdb.SetNX(ctx, key, rand.Text(), ttl).Val() {
		defer rdb.Del(ctx, fmt.Sprintf("number:%d", id)) // want `unowned-release: `
		fn()
	}
}

// The same helper with the same argument.
func keyOf(kind string, id int64) string { return fmt.Sprintf("%s/%s/%d", prefix, kind, id) }

func helper(ctx context.Context, rdb *redis.Client, id int64, fn func()) {
	if rdb.SetNX(ctx, keyOf("helper", id), rand.Text(), ttl).Val() {
		fn()
		rdb.Del(ctx, keyOf("helper", id)) // want `unowned-release: `
	}
}

// A format constant, rebuilt on both sides of a method pair; the holes stand in
// the same places and are called differently.
const stockFormat = "stock:%s:%s:lock"

type stock struct{ rdb *redis.Client }

func (s *stock) Acquire(ctx context.Context, warehouse, sku string) bool {
	return s.rdb.SetNX(ctx, fmt.Sprintf(stockFormat, warehouse, sku), "1", ttl).Val()
}

func (s *stock) Release(ctx context.Context, depot, article string) {
	s.rdb.Del(ctx, fmt.Sprintf(stockFormat, depot, article)) // want `unowned-release: `
}

// A field path, read into a local on one side.
type config struct{ Redis struct{ LockKey string } }

type daemon struct {
	rdb *redis.Client
	cfg *config
}

func (d *daemon) tick(ctx context.Context, fn func()) {
	if !d.rdb.SetNX(ctx, d.cfg.Redis.LockKey, rand.Text(), ttl).Val() {
		return
	}
	key := d.cfg.Redis.LockKey
	defer d.rdb.Del(ctx, key) // want `unowned-release: `
	fn()
}

// A helper method on a struct that both sides are given.
type job struct{ tenant, name string }

func (j job) mutexKey() string { return j.tenant + "/" + j.name }

func lockJob(ctx context.Context, rdb *redis.Client, j job) bool {
	return rdb.SetNX(ctx, j.mutexKey(), "1", ttl).Val()
}

func unlockJob(ctx context.Context, rdb *redis.Client, j job) {
	rdb.Del(ctx, j.mutexKey()) // want `unowned-release: `
}
