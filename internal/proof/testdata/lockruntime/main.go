// Lockruntime uses the runtime package already: the fixes call it.
package main

import (
	"context"
	"time"

	lockrt "github.com/locklint/locklint/runtime"
	"github.com/redis/go-redis/v9"

	"github.com/locklint/locklint/internal/proof/harness"
)

type store struct{ rdb redis.UniversalClient }

func (s *store) compact(ctx context.Context, id string) error {
	key := "compact:lock:" + id
	if !s.rdb.SetNX(ctx, key, 1, time.Hour).Val() {
		return lockrt.ErrHeld
	}
	defer s.rdb.Del(ctx, key)
	return ctx.Err()
}

func (s *store) free(ctx context.Context, id, token string) (int64, error) {
	key := "free:lock:" + id
	if !s.rdb.SetNX(ctx, key, token, time.Hour).Val() {
		return 0, lockrt.ErrHeld
	}
	return s.rdb.Del(ctx, key).Result()
}

func (s *store) extend(ctx context.Context, id, token string) (bool, error) {
	key := "extend:lock:" + id
	if !s.rdb.SetNX(ctx, key, token, time.Hour).Val() {
		return false, lockrt.ErrHeld
	}
	defer lockrt.CompareAndDelete(ctx, s.rdb, key, token)
	for range 2 {
		if ok, err := s.rdb.Expire(ctx, key, 2*time.Hour).Result(); err != nil || !ok {
			return ok, err
		}
	}
	return true, nil
}

func (s *store) several(ctx context.Context, id, token string) error {
	key := "several:lock:" + id
	if !s.rdb.SetNX(ctx, key, token, time.Hour).Val() {
		return lockrt.ErrHeld
	}
	s.rdb.Set(ctx, "several:rows:"+id, 1, 0)
	s.rdb.Del(ctx, "several:rows:"+id, key)
	return ctx.Err()
}

func main() {
	harness.Main(map[string]harness.Form{
		"compact": func(ctx context.Context, s *harness.Scene) string {
			return harness.Show((&store{s.Client()}).compact(ctx, s.ID))
		},
		"free": func(ctx context.Context, s *harness.Scene) string {
			return harness.Show((&store{s.Client()}).free(ctx, s.ID, s.Token))
		},
		"several": func(ctx context.Context, s *harness.Scene) string {
			return harness.Show((&store{s.Client()}).several(ctx, s.ID, s.Token))
		},
		"extend": func(ctx context.Context, s *harness.Scene) string {
			return harness.Show((&store{s.Client()}).extend(ctx, s.ID, s.Token))
		},
	})
}
