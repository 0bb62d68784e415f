// Package wrappers goes through general helpers of its own. They do not know
// what the key is for, so the report stands where a lock key is put in.
package wrappers

import (
	"context"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

var errBusy = errors.New("busy")

type store struct{ rdb *redis.Client }

func (s *store) SetIfAbsent(ctx context.Context, key string, v any, ttl time.Duration) (bool, error) {
	return s.rdb.SetNX(ctx, key, v, ttl).Result()
}

func (s *store) Delete(ctx context.Context, key string) error { return s.rdb.Del(ctx, key).Err() }

// drop adds a second level and nothing else.
func (s *store) drop(ctx context.Context, key string) {
	if err := s.Delete(ctx, key); err != nil {
		panic(err)
	}
}

func (s *store) Get(ctx context.Context, key string) (string, error) {
	return s.rdb.Get(ctx, key).Result()
}

// Both ends through the wrapper, in one function.
func migrate(ctx context.Context, s *store, tenant string, fn func() error) error {
	key := "migrate:lock:" + tenant
	ok, err := s.SetIfAbsent(ctx, key, "1", time.Minute)
	if err != nil || !ok {
		return errBusy
	}
	defer s.Delete(ctx, key) // want `unowned-release: `
	return fn()
}

// Two levels on the way out, and in a literal.
func reindex(ctx context.Context, s *store, index string, fn func() error) error {
	if ok, err := s.SetIfAbsent(ctx, "reindex:lock:"+index, index, time.Minute); err != nil || !ok {
		return errBusy
	}
	defer func() {
		s.drop(ctx, "reindex:lock:"+index) // want `unowned-release: `
	}()
	return fn()
}

// Sibling methods: the client on one side, the helper on the other.
type scheduler struct {
	*store
	name string
}

func (s *scheduler) lockKey() string { return "scheduler:" + s.name }

func (s *scheduler) Acquire(ctx context.Context) (bool, error) {
	return s.rdb.SetNX(ctx, s.lockKey(), "1", time.Minute).Result()
}

func (s *scheduler) Release(ctx context.Context) {
	s.drop(ctx, s.lockKey()) // want `unowned-release: `
}

// Plain helper functions, the client handed along.
func setOnce(ctx context.Context, rdb redis.Cmdable, key, value string, ttl time.Duration) bool {
	return rdb.SetNX(ctx, key, value, ttl).Val()
}

func remove(ctx context.Context, rdb redis.Cmdable, key string) { rdb.Del(ctx, key) }

func snapshot(ctx context.Context, rdb redis.Cmdable, volume string, fn func()) {
	if !setOnce(ctx, rdb, "snapshot:"+volume, "running", time.Hour) {
		return
	}
	fn()
	remove(ctx, rdb, "snapshot:"+volume) // want `unowned-release: `
}

// A helper that calls itself until the Del went through.
func (s *store) deleteRetry(ctx context.Context, key string, tries int) error {
	err := s.rdb.Del(ctx, key).Err()
	if err != nil && tries > 0 {
		return s.deleteRetry(ctx, key, tries-1)
	}
	return err
}

func defragment(ctx context.Context, s *store, disk string, fn func()) error {
	key := "defragment:lock:" + disk
	if ok, err := s.SetIfAbsent(ctx, key, "1", time.Hour); err != nil || !ok {
		return errBusy
	}
	fn()
	return s.deleteRetry(ctx, key, 3) // want `unowned-release: `
}
