package broken

import (
	"context"
	"crypto/rand"
	"time"
)

// Lock takes the order for a clerk who edits it, and answers with the token for Unlock.
func (s *Service) Lock(ctx context.Context, order string) (token string, ok bool, err error) {
	token = rand.Text()
	ok, err = s.rdb.SetNX(ctx, "edit:"+order, token, 5*time.Minute).Result()
	return token, ok, err
}

// Unlock compares in one command and deletes in another.
func (s *Service) Unlock(ctx context.Context, order, token string) error {
	owner, err := s.rdb.Get(ctx, "edit:"+order).Result()
	if err != nil || owner != token {
		return err
	}
	return s.rdb.Del(ctx, "edit:"+order).Err()
}

// Hold takes a number of the queue at the counter. The server refuses the command.
func (s *Service) Hold(ctx context.Context, number string) bool {
	return s.rdb.Do(ctx, "SETNX", "counter:"+number, rand.Text(), "EX", 60).Err() == nil
}
