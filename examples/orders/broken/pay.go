package broken

import (
	"context"
	"crypto/rand"
	"time"
)

// Pay charges an order once. A crash after SetNX leaves the key without a TTL.
func (s *Service) Pay(ctx context.Context, order string) error {
	key := "pay:" + order
	ok, err := s.rdb.SetNX(ctx, key, rand.Text(), 0).Result()
	if err != nil || !ok {
		return ErrBusy
	}
	s.rdb.Expire(ctx, key, 30*time.Second)
	return s.shop.Charge(ctx, order)
}
