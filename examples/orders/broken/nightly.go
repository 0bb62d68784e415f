package broken

import (
	"context"
	"crypto/rand"
	"time"
)

// Export writes the orders of a day. The lock has no TTL: when this process is
// killed, no other one exports that day.
func (s *Service) Export(ctx context.Context, day string) error {
	key, token := "export:"+day, rand.Text()
	ok, err := s.rdb.SetNX(ctx, key, token, 0).Result()
	if err != nil || !ok {
		return ErrBusy
	}
	defer unlock.Run(context.WithoutCancel(ctx), s.rdb, []string{key}, token)
	return s.shop.WriteCSV(ctx, day)
}

// Reindex rebuilds the search index and renews its lock as it goes, even after the
// lock became another worker's.
func (s *Service) Reindex(ctx context.Context, pages int) error {
	const key = "orders:reindex"
	token := rand.Text()
	ok, err := s.rdb.SetNX(ctx, key, token, time.Minute).Result()
	if err != nil || !ok {
		return ErrBusy
	}
	defer unlock.Run(context.WithoutCancel(ctx), s.rdb, []string{key}, token)
	for page := range pages {
		if err := s.shop.Index(ctx, page); err != nil {
			return err
		}
		s.rdb.Expire(ctx, key, time.Minute)
	}
	return nil
}
