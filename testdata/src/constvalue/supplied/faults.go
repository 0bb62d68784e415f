// Package supplied hands the value to a constructor or a pass-through; the call
// that supplies a constant is the root.
package supplied

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

// A pass-through.
type store struct{ rdb *redis.Client }

func (s *store) SetIfAbsent(ctx context.Context, key string, v any, ttl time.Duration) (bool, error) {
	return s.rdb.SetNX(ctx, key, v, ttl).Result()
}

func (s *store) Delete(ctx context.Context, key string) error { return s.rdb.Del(ctx, key).Err() }

func calve(ctx context.Context, s *store, glacier string, fn func() error) error {
	key := "calve:lock:" + glacier
	ok, err := s.SetIfAbsent(ctx, key, "1", time.Minute) // want `weak-token: `
	if err != nil || !ok {
		return errBusy
	}
	defer s.Delete(ctx, key)
	return fn()
}

// Two levels.
func (s *store) reserve(ctx context.Context, key, who string) bool {
	ok, err := s.SetIfAbsent(ctx, key, who, time.Minute)
	return ok && err == nil
}

func melt(ctx context.Context, s *store, glacier string, fn func()) error {
	if !s.reserve(ctx, "melt:"+glacier, "melting") { // want `weak-token: `
		return errBusy
	}
	fn()
	return s.Delete(ctx, "melt:"+glacier)
}

// A constructor.
type mutex struct {
	rdb        *redis.Client
	key, token string
}

func newMutex(rdb *redis.Client, key, token string) *mutex {
	return &mutex{rdb: rdb, key: key, token: token}
}

func (m *mutex) Lock(ctx context.Context) (bool, error) {
	return m.rdb.SetNX(ctx, m.key, m.token, time.Minute).Result()
}

func (m *mutex) Unlock(ctx context.Context) error {
	return compareAndDelete.Run(ctx, m.rdb, []string{m.key}, m.token).Err()
}

func freeze(ctx context.Context, rdb *redis.Client, lake string, fn func()) error {
	m := newMutex(rdb, "lake:"+lake, "frozen") // want `weak-token: `
	if ok, err := m.Lock(ctx); err != nil || !ok {
		return errBusy
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	fn()
	return nil
}

// A helper that fixes the value is the root itself, whoever calls it.
func tryLock(ctx context.Context, rdb redis.Cmdable, key string) bool {
	return rdb.SetNX(ctx, key, 1, time.Minute).Val() // want `weak-token: `
}

func unlock(ctx context.Context, rdb redis.Cmdable, key string) { rdb.Del(ctx, key) }

func drift(ctx context.Context, rdb redis.Cmdable, floe string, fn func()) {
	if tryLock(ctx, rdb, "floe:"+floe) {
		defer unlock(ctx, rdb, "floe:"+floe)
		fn()
	}
}

// The same constructor with a fresh token is right.
func thaw(ctx context.Context, rdb *redis.Client, lake string, fn func()) error {
	m := newMutex(rdb, "lake:"+lake, rand.Text())
	if ok, err := m.Lock(ctx); err != nil || !ok {
		return errBusy
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	fn()
	return nil
}

// The same pass-through with data is no lock.
func cacheDepth(ctx context.Context, s *store, glacier string) error {
	_, err := s.SetIfAbsent(ctx, "depth:"+glacier, 400, time.Hour)
	return err
}
