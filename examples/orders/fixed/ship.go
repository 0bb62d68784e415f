package fixed

import (
	"context"
	"crypto/rand"
	"time"
)

// Ship packs an order. Where packing takes longer than the TTL, the script deletes
// nothing: the key has another worker's token by then.
func (s *Service) Ship(ctx context.Context, order string) error {
	key, token := "ship:"+order, rand.Text()
	ok, err := s.rdb.SetNX(ctx, key, token, 30*time.Second).Result()
	if err != nil || !ok {
		return ErrBusy
	}
	defer unlock.Run(context.WithoutCancel(ctx), s.rdb, []string{key}, token)
	return s.shop.Pack(ctx, order)
}

// Refund pays back. Only the worker that has the lock frees it.
func (s *Service) Refund(ctx context.Context, order string) error {
	key, token := "refund:"+order, rand.Text()
	ok, err := s.rdb.SetNX(ctx, key, token, 30*time.Second).Result()
	if err != nil || !ok {
		return ErrBusy
	}
	defer unlock.Run(context.WithoutCancel(ctx), s.rdb, []string{key}, token)
	return s.shop.PayBack(ctx, order)
}

// Cancel puts the goods back. The token is kept for the release.
func (s *Service) Cancel(ctx context.Context, order string) error {
	key, token := "cancel:"+order, rand.Text()
	ok, err := s.rdb.SetNX(ctx, key, token, 30*time.Second).Result()
	if err != nil || !ok {
		return ErrBusy
	}
	defer unlock.Run(context.WithoutCancel(ctx), s.rdb, []string{key}, token)
	return s.shop.Restock(ctx, order)
}
