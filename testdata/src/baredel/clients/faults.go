// Package clients reaches Redis in every way that code does: interfaces, embedded
// clients, getters, values, package variables, type parameters.
package clients

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

const ttl = 30 * time.Second

var errBusy = errors.New("busy")

func universal(ctx context.Context, c redis.UniversalClient, id string, fn func()) {
	key := "universal:" + id
	if c.SetNX(ctx, key, rand.Text(), ttl).Val() {
		defer c.Del(ctx, key) // want `unowned-release: `
		fn()
	}
}

func cmdable(ctx context.Context, c redis.Cmdable, id string, fn func()) {
	key := "cmdable:" + id
	if c.SetNX(ctx, key, rand.Text(), ttl).Val() {
		defer c.Del(ctx, key) // want `unowned-release: `
		fn()
	}
}

func cluster(ctx context.Context, c *redis.ClusterClient, id string, fn func()) {
	key := "cluster:{" + id + "}"
	if c.SetNX(ctx, key, rand.Text(), ttl).Val() {
		defer c.Del(ctx, key) // want `unowned-release: `
		fn()
	}
}

func ring(ctx context.Context, c *redis.Ring, id string, fn func()) {
	key := "ring:" + id
	if c.SetNX(ctx, key, rand.Text(), ttl).Val() {
		defer c.Del(ctx, key) // want `unowned-release: `
		fn()
	}
}

func conn(ctx context.Context, rdb *redis.Client, id string, fn func()) {
	c := rdb.Conn()
	defer c.Close()
	key := "conn:" + id
	if c.SetNX(ctx, key, rand.Text(), ttl).Val() {
		defer c.Del(ctx, key) // want `unowned-release: `
		fn()
	}
}

// An embedded client.
type kv struct {
	*redis.Client
	prefix string
}

func (k *kv) Guard(ctx context.Context, id string, fn func() error) error {
	if ok, err := k.SetNX(ctx, k.prefix+id, rand.Text(), ttl).Result(); err != nil || !ok {
		return errBusy
	}
	defer k.Del(ctx, k.prefix+id) // want `unowned-release: `
	return fn()
}

// Embedded two levels deep.
type session struct{ kv }

func (s session) Exclusive(ctx context.Context, id string, fn func()) {
	key := "session:exclusive:" + id
	if s.SetNX(ctx, key, rand.Text(), ttl).Val() {
		fn()
		s.Del(ctx, key) // want `unowned-release: `
	}
}

// An own interface that embeds the one of the library.
type db interface {
	redis.Cmdable
	Name() string
}

func named(ctx context.Context, d db, fn func()) {
	key := d.Name() + ":maintenance:lock"
	if d.SetNX(ctx, key, rand.Text(), ttl).Val() {
		fn()
		d.Del(ctx, key) // want `unowned-release: `
	}
}

// A getter.
type module struct{ rdb *redis.Client }

func (m *module) GetClient() *redis.Client { return m.rdb }

func (m *module) Lock(ctx context.Context, job string) bool {
	return m.GetClient().SetNX(ctx, "module:"+job, "1", ttl).Val()
}

func (m *module) Unlock(ctx context.Context, job string) {
	m.GetClient().Del(ctx, "module:"+job) // want `unowned-release: `
}

// A client by value.
type embeddedValue struct{ rdb redis.Client }

func (e *embeddedValue) Acquire(ctx context.Context, id string) (bool, error) {
	return e.rdb.SetNX(ctx, "value:"+id, "1", ttl).Result()
}

func (e *embeddedValue) Release(ctx context.Context, id string) error {
	return e.rdb.Del(ctx, "value:"+id).Err() // want `unowned-release: `
}

// A package variable, and one behind a function.
var Redis *redis.Client

func instance() redis.UniversalClient { return Redis }

func global(ctx context.Context, id string, fn func() error) error {
	key := "global:" + id
	if ok, err := Redis.SetNX(ctx, key, rand.Text(), ttl).Result(); err != nil || !ok {
		return errBusy
	}
	defer instance().Del(ctx, key) // want `unowned-release: `
	return fn()
}

// A generic receiver: over the payload, and over the client itself.
type locked[T any] struct {
	rdb  *redis.Client
	load func(context.Context) (T, error)
}

func (l *locked[T]) Acquire(ctx context.Context, key string) (bool, error) {
	return l.rdb.SetNX(ctx, "generic:"+key, "1", ttl).Result()
}

func (l *locked[T]) Release(ctx context.Context, key string) error {
	return l.rdb.Del(ctx, "generic:"+key).Err() // want `unowned-release: `
}

type over[C redis.Cmdable] struct{ client C }

func (o over[C]) Obtain(ctx context.Context, name string) bool {
	return o.client.SetNX(ctx, "over:"+name, "1", ttl).Val()
}

func (o over[C]) Release(ctx context.Context, name string) {
	o.client.Del(ctx, "over:"+name) // want `unowned-release: `
}

// Read side and write side are two fields; it is one server all the same.
type split struct{ master, admin *redis.Client }

func (s *split) TryLock(ctx context.Context, id string) bool {
	return s.master.SetNX(ctx, "split:"+id, "1", ttl).Val()
}

func (s *split) Unlock(ctx context.Context, id string) {
	s.admin.Del(ctx, "split:"+id) // want `unowned-release: `
}

// The free is queued in a pipeline.
func pipelined(ctx context.Context, rdb *redis.Client, id string, fn func()) error {
	key := "pipelined:" + id
	if !rdb.SetNX(ctx, key, rand.Text(), ttl).Val() {
		return errBusy
	}
	fn()
	_, err := rdb.Pipelined(ctx, func(p redis.Pipeliner) error {
		p.Incr(ctx, "pipelined:runs")
		p.Del(ctx, key) // want `unowned-release: `
		return nil
	})
	return err
}

// Commands that the client batches by itself are commands like any other.
func autoPipelined(ctx context.Context, rdb *redis.Client, id string, fn func() error) error {
	ap, err := rdb.AutoPipeline()
	if err != nil {
		return err
	}
	key := "auto:" + id
	if ok, err := ap.SetNX(ctx, key, rand.Text(), ttl).Result(); err != nil || !ok {
		return errBusy
	}
	defer ap.Del(ctx, key) // want `unowned-release: `
	return fn()
}
