// Package lockruntime uses the runtime already, which has the two steps.
package lockruntime

import (
	"context"
	"time"

	lockrt "github.com/locklint/locklint/runtime"
	"github.com/redis/go-redis/v9"
)

type store struct{ rdb redis.UniversalClient }

func (s *store) compact(ctx context.Context, shard string, work func() error) error {
	key := "compact:lock:" + shard
	if !s.rdb.SetNX(ctx, key, 1, time.Minute).Val() {
		return lockrt.ErrHeld
	}
	defer s.rdb.Del(ctx, key)
	for range 3 {
		if ok, err := s.rdb.Expire(ctx, key, time.Minute).Result(); err != nil || !ok {
			return err
		}
	}
	return work()
}
