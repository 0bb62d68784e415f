// Package literalhandles fills its handle before it acquires, and frees what the
// handle names; and it deletes keys that a slice was filled with by index.
package literalhandles

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

var errBusy = errors.New("busy")

type lease struct {
	rdb        *redis.Client
	key, token string
}

func obtain(ctx context.Context, rdb *redis.Client, kiln string) (*lease, error) {
	l := &lease{rdb: rdb, key: "lock:kiln:" + kiln, token: rand.Text()}
	ok, err := l.rdb.SetNX(ctx, l.key, l.token, time.Minute).Result()
	if err != nil || !ok {
		return nil, errBusy
	}
	return l, nil
}

func (l *lease) release(ctx context.Context) error {
	return l.rdb.Del(ctx, l.key).Err() // want `unowned-release: `
}

// A wrapper that puts a prefix before each of its keys, by index.
type store struct {
	rdb    *redis.Client
	prefix string
}

func (s *store) SetNX(ctx context.Context, key string, v any, ttl time.Duration) (bool, error) {
	return s.rdb.SetNX(ctx, s.prefix+key, v, ttl).Result()
}

func (s *store) Del(ctx context.Context, keys ...string) error {
	full := make([]string, len(keys))
	for i, k := range keys {
		full[i] = s.prefix + k
	}
	return s.rdb.Del(ctx, full...).Err()
}

func fire(ctx context.Context, s *store, kiln string, fn func()) error {
	key := "fire:" + kiln
	if ok, err := s.SetNX(ctx, key, rand.Text(), time.Minute); err != nil || !ok {
		return errBusy
	}
	fn()
	return s.Del(ctx, key) // want `unowned-release: `
}

// The words of the command in a slice that holds nothing else.
func glaze(ctx context.Context, rdb *redis.Client, pot string, fn func()) {
	args := []any{"SET", "glaze:" + pot, rand.Text(), "NX", "EX", 60}
	if rdb.Do(ctx, args...).Err() != nil {
		return
	}
	fn()
	rdb.Del(ctx, "glaze:"+pot) // want `unowned-release: `
}
