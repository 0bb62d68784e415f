// Package general has a bare lock in a type that serves all kinds of keys. The
// pair named Lock and Unlock is at fault, and the methods beside it are not:
// nobody says that their key is the lock's.
package general

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
)

type Store struct{ c *redis.Client }

func (s *Store) Lock(ctx context.Context, key, token string, ttl time.Duration) bool {
	return s.c.SetNX(ctx, key, token, ttl).Val()
}

func (s *Store) Unlock(ctx context.Context, key string) {
	s.c.Del(ctx, key) // want `unowned-release: `
}

// RenewLock has both words: one of renewing and one of locks.
func (s *Store) RenewLock(ctx context.Context, key string, ttl time.Duration) error {
	return s.c.Expire(ctx, key, ttl).Err() // want `unowned-renew: `
}

func (s *Store) Delete(ctx context.Context, key string) { s.c.Del(ctx, key) }

func (s *Store) Expire(ctx context.Context, key string, ttl time.Duration) {
	s.c.Expire(ctx, key, ttl)
}

func (s *Store) RefreshSession(ctx context.Context, key string) {
	s.c.Expire(ctx, key, time.Hour)
}

func (s *Store) Put(ctx context.Context, key, v string) error {
	return s.c.Set(ctx, key, v, time.Hour).Err()
}

// Two locks in a package, a bare one and one whose owner is checked: each pair is
// judged by itself.
var shared *redis.Client

var release = redis.NewScript(`if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) end return 0`)

func AcquireLock(ctx context.Context, key, token string, ttl time.Duration) (bool, error) {
	return shared.SetNX(ctx, key, token, ttl).Result()
}

func ReleaseLock(ctx context.Context, key string) error {
	return shared.Del(ctx, key).Err() // want `unowned-release: `
}

type Owned struct{ key, token string }

func AcquireOwned(ctx context.Context, key, token string, ttl time.Duration) (*Owned, bool, error) {
	l := &Owned{key: key, token: token}
	ok, err := shared.SetNX(ctx, l.key, l.token, ttl).Result()
	if err != nil || !ok {
		return nil, false, err
	}
	return l, true, nil
}

func (l *Owned) Release(ctx context.Context) error {
	return release.Run(ctx, shared, []string{l.key}, l.token).Err()
}

// Acquire and Release alone, with a key that says nothing: siblings with these
// names are a lock.
type Guard struct{ client *redis.Client }

func (g *Guard) Acquire(ctx context.Context, id, token string) bool {
	return g.client.SetNX(ctx, "guard:"+id, token, time.Hour).Val()
}

func (g *Guard) Release(ctx context.Context, id string) {
	g.client.Del(ctx, "guard:"+id) // want `unowned-release: `
}

// With a word of markers in the type they are not.
type Dedupe struct{ client *redis.Client }

func (d *Dedupe) Acquire(ctx context.Context, id string) bool {
	return d.client.SetNX(ctx, "dedupe:"+id, "1", time.Hour).Val()
}

func (d *Dedupe) Release(ctx context.Context, id string) { d.client.Del(ctx, "dedupe:"+id) }
