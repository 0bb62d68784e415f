package fixed

import (
	"context"
	"crypto/rand"
	"time"
)

// Invoice prints an invoice. Each acquisition has a value of its own to compare.
func (s *Service) Invoice(ctx context.Context, order string) error {
	key, token := "invoice:"+order, rand.Text()
	ok, err := s.rdb.SetNX(ctx, key, token, 30*time.Second).Result()
	if err != nil || !ok {
		return ErrBusy
	}
	defer unlock.Run(context.WithoutCancel(ctx), s.rdb, []string{key}, token)
	return s.shop.Print(ctx, order)
}
