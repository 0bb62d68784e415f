package broken

import (
	"context"
	"crypto/rand"
	"time"
)

// Ship packs an order. Where packing takes longer than the TTL, Del frees the lock of
// the worker that came next.
func (s *Service) Ship(ctx context.Context, order string) error {
	key, token := "ship:"+order, rand.Text()
	ok, err := s.rdb.SetNX(ctx, key, token, 30*time.Second).Result()
	if err != nil || !ok {
		return ErrBusy
	}
	defer s.rdb.Del(ctx, key)
	return s.shop.Pack(ctx, order)
}

// Refund pays back. Each worker that comes too late frees the lock of the first.
func (s *Service) Refund(ctx context.Context, order string) error {
	key, token := "refund:"+order, rand.Text()
	ok, err := s.rdb.SetNX(ctx, key, token, 30*time.Second).Result()
	defer s.rdb.Del(ctx, key)
	if err != nil || !ok {
		return ErrBusy
	}
	return s.shop.PayBack(ctx, order)
}

// Cancel puts the goods back. Nobody keeps the token, so nobody can compare it.
func (s *Service) Cancel(ctx context.Context, order string) error {
	key := "cancel:" + order
	ok, err := s.rdb.SetNX(ctx, key, rand.Text(), 30*time.Second).Result()
	if err != nil || !ok {
		return ErrBusy
	}
	defer s.rdb.Del(ctx, key)
	return s.shop.Restock(ctx, order)
}
