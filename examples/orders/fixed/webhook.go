package fixed

import (
	"context"
	"time"
)

// Webhook handles a delivery of the bank once. Its SetNX is a marker, no lock: the
// value tells nobody apart and need not, the key stays on success, and a failed
// delivery may come again. locklint is silent here.
func (s *Service) Webhook(ctx context.Context, delivery string, handle func() error) error {
	key := "webhook:" + delivery
	first, err := s.rdb.SetNX(ctx, key, 1, 24*time.Hour).Result()
	if err != nil || !first {
		return err
	}
	if err := handle(); err != nil {
		s.rdb.Del(context.WithoutCancel(ctx), key)
		return err
	}
	return nil
}
