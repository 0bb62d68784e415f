// Package methods frees in one method what another method took [D10].
package methods

import (
	"context"
	"crypto/rand"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

// Acquire and Release build the same key from the same template.
type orderGuard struct {
	rdb *redis.Client
	ttl time.Duration
}

func (g *orderGuard) Acquire(ctx context.Context, order int64) (bool, error) {
	return g.rdb.SetNX(ctx, fmt.Sprintf("order:%d:busy", order), "1", g.ttl).Result()
}

func (g *orderGuard) Release(ctx context.Context, id int64) error {
	return g.rdb.Del(ctx, "order:"+strconv.FormatInt(id, 10)+":busy").Err() // want `unowned-release: `
}

// Lock and Unlock share a field.
type jobMutex struct {
	client *redis.Client
	key    string
}

func (m *jobMutex) Lock(ctx context.Context) bool {
	return m.client.SetNX(ctx, m.key, rand.Text(), time.Minute).Val()
}

func (m *jobMutex) Unlock(ctx context.Context) {
	m.client.Del(ctx, m.key) // want `unowned-release: `
}

// TryLock and Unlock take the key as a parameter and call it differently. No
// caller can mend that, so the fault stands here.
type locker struct{ rdb redis.UniversalClient }

func (l *locker) TryLock(ctx context.Context, resource, owner string, ttl time.Duration) (bool, error) {
	return l.rdb.SetNX(ctx, resource, owner, ttl).Result()
}

func (l *locker) Unlock(ctx context.Context, name string) error {
	return l.rdb.Del(ctx, name).Err() // want `unowned-release: `
}

// Callers of a faulty Unlock say nothing new.
func (l *locker) withTransfer(ctx context.Context, id string, fn func() error) error {
	ok, err := l.TryLock(ctx, "transfer:"+id, id, time.Minute)
	if err != nil || !ok {
		return err
	}
	defer l.Unlock(ctx, "transfer:"+id)
	return fn()
}

// Obtain and Release, the key from a helper method.
type leaseStore struct {
	db     redis.Cmdable
	prefix string
}

func (s *leaseStore) path(worker string) string { return strings.Join([]string{s.prefix, worker}, ":") }

func (s *leaseStore) Obtain(ctx context.Context, worker string) (string, bool) {
	token := rand.Text()
	return token, s.db.SetNX(ctx, s.path(worker), token, time.Minute).Val()
}

func (s *leaseStore) Release(ctx context.Context, worker string) error {
	_, err := s.db.Del(ctx, s.path(worker)).Result() // want `unowned-release: `
	return err
}

// The methods are not called lock or unlock, but the type is, and it frees.
type importMutex struct {
	rdb *redis.Client
	key string
}

func (m importMutex) Begin(ctx context.Context) (bool, error) {
	return m.rdb.SetNX(ctx, m.key, rand.Text(), time.Minute).Result()
}

func (m importMutex) End(ctx context.Context) error {
	return m.rdb.Unlink(ctx, m.key).Err() // want `unowned-release: `
}

// Neither type nor methods say so; the key does.
type crawler struct{ rdb *redis.Client }

func (c *crawler) start(ctx context.Context, host string) bool {
	return c.rdb.SetNX(ctx, "爬虫锁:"+host, 1, time.Minute).Val()
}

func (c *crawler) stop(ctx context.Context, host string) {
	c.rdb.Del(ctx, "爬虫锁:"+host) // want `unowned-release: `
}

// Plain functions that are siblings in a package.
var shared *redis.Client

const rebuildKey = "search:rebuild"

func acquireRebuild(ctx context.Context) (bool, error) {
	return shared.SetNX(ctx, rebuildKey, "1", 10*time.Minute).Result()
}

func releaseRebuild(ctx context.Context) { shared.Del(ctx, rebuildKey) } // want `unowned-release: `
