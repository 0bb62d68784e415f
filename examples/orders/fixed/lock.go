package fixed

import (
	"context"
	"crypto/rand"
	"time"

	lockrt "github.com/locklint/locklint/runtime"
)

// Lock takes the order for a clerk who edits it, and answers with the token for Unlock.
func (s *Service) Lock(ctx context.Context, order string) (token string, ok bool, err error) {
	token = rand.Text()
	ok, err = s.rdb.SetNX(ctx, "edit:"+order, token, 5*time.Minute).Result()
	return token, ok, err
}

// Unlock compares and deletes in one step, and says so when the lock was lost.
func (s *Service) Unlock(ctx context.Context, order, token string) error {
	n, err := lockrt.CompareAndDelete(ctx, s.rdb, "edit:"+order, token).Int()
	if err == nil && n == 0 {
		return ErrLost
	}
	return err
}

// Hold takes a number of the queue at the counter.
func (s *Service) Hold(ctx context.Context, number string) bool {
	return s.rdb.SetNX(ctx, "counter:"+number, rand.Text(), time.Minute).Val()
}
