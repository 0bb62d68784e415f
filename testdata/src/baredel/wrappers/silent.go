package wrappers

import (
	"context"
	"time"
)

// The wrappers serve a cache as well. Nothing here is a lock.
func profile(ctx context.Context, s *store, user string, load func() string) (string, error) {
	key := "profile:" + user
	if v, err := s.Get(ctx, key); err == nil {
		return v, nil
	}
	v := load()
	_, err := s.SetIfAbsent(ctx, key, v, time.Hour)
	return v, err
}

func evictProfile(ctx context.Context, s *store, user string) { s.drop(ctx, "profile:"+user) }

// A marker through the wrapper, given back only when the handler failed.
func onWebhook(ctx context.Context, s *store, id string, handle func() error) error {
	key := "webhook:" + id
	first, err := s.SetIfAbsent(ctx, key, 1, 24*time.Hour)
	if err != nil {
		return err
	}
	if !first {
		return nil
	}
	if err := handle(); err != nil {
		s.drop(ctx, key)
		return err
	}
	return nil
}
