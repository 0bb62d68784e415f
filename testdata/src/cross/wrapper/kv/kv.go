//locklint:test passes=baredel,constvalue,setnxexpire

// Package kv is the third layer: generic over the value, and the default TTL is
// its own.
package kv

import (
	"context"
	"time"

	"github.com/locklint/locklint/testdata/src/cross/wrapper/cache"
)

const defaultTTL = 30 * time.Second

type Store[V any] struct{ cache *cache.Cache }

func New[V any](c *cache.Cache) *Store[V] { return &Store[V]{cache: c} }

func (s *Store[V]) PutNew(ctx context.Context, key string, value V) (bool, error) {
	return s.cache.Add(ctx, key, value, defaultTTL)
}

func (s *Store[V]) PutNewFor(ctx context.Context, key string, value V, ttl time.Duration) (bool, error) {
	return s.cache.Add(ctx, key, value, ttl)
}

func (s *Store[V]) Drop(ctx context.Context, key string) error { return s.cache.Remove(ctx, key) }

func (s *Store[V]) Keep(ctx context.Context, key string, ttl time.Duration) error {
	return s.cache.Touch(ctx, key, ttl)
}
