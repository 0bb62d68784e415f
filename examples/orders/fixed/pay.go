package fixed

import (
	"context"
	"crypto/rand"
	"time"
)

// Pay charges an order once. The key has its TTL from the first moment on.
func (s *Service) Pay(ctx context.Context, order string) error {
	key := "pay:" + order
	ok, err := s.rdb.SetNX(ctx, key, rand.Text(), 30*time.Second).Result()
	if err != nil || !ok {
		return ErrBusy
	}
	return s.shop.Charge(ctx, order)
}
