package methods

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
)

// ReleaseLock only sets a TTL: the slot stays taken for a while after the visit.
// It had a TTL before.
type slots struct{ rdb *redis.Client }

func (s *slots) AcquireLock(ctx context.Context, slot string) (bool, error) {
	return s.rdb.SetNX(ctx, "slot:"+slot, time.Now().Unix(), time.Hour).Result()
}

func (s *slots) ReleaseLock(ctx context.Context, slot string) error {
	return s.rdb.Expire(ctx, "slot:"+slot, time.Minute).Err()
}

// An alert is raised once and expires after it was resolved; raising it excludes
// nobody.
func (s *slots) Raise(ctx context.Context, alert string) error {
	return s.rdb.SetNX(ctx, "alert:"+alert, time.Now().Unix(), 0).Err()
}

func (s *slots) Resolve(ctx context.Context, alert string) error {
	return s.rdb.Expire(ctx, "alert:"+alert, time.Hour).Err()
}
