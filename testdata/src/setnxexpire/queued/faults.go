// Package queued sends SETNX without a TTL and EXPIRE in one pipeline [A3]. Whether
// the key was created decides what is done, and losers prolong the winner's key,
// so a crash between the two commands is only half of the harm.
package queued

import (
	"context"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

var errBusy = errors.New("busy")

// The reply is returned, error and all.
func Reserve(ctx context.Context, rdb *redis.Client, stage, token string) (bool, error) {
	p := rdb.TxPipeline()
	got := p.SetNX(ctx, "stage:"+stage, token, 0) // want `setnx-expire: `
	p.Expire(ctx, "stage:"+stage, time.Minute)
	_, err := p.Exec(ctx)
	return got.Val(), err
}

// The reply is returned as a bool, after the error was looked at.
func Occupy(ctx context.Context, rdb *redis.Client, hall, token string) (bool, error) {
	p := rdb.TxPipeline()
	got := p.SetNX(ctx, "hall:"+hall, token, 0) // want `setnx-expire: `
	p.Expire(ctx, "hall:"+hall, time.Minute)
	if _, err := p.Exec(ctx); err != nil {
		return false, err
	}
	return got.Result()
}

// The work is done in the same function.
func Rehearse(ctx context.Context, rdb *redis.Client, play, token string, fn func()) error {
	key := "play:" + play
	p := rdb.Pipeline()
	got := p.SetNX(ctx, key, token, 0) // want `setnx-expire: `
	p.Expire(ctx, key, time.Minute)
	if _, err := p.Exec(ctx); err != nil {
		return err
	}
	if ok, err := got.Result(); err != nil || !ok {
		return errBusy
	}
	fn()
	return nil
}

// A method named Lock, with a key that says nothing.
type Props struct{ rdb *redis.Client }

func (s *Props) Lock(ctx context.Context, key, token string) (bool, error) {
	p := s.rdb.Pipeline()
	got := p.SetNX(ctx, key, token, 0) // want `setnx-expire: `
	p.Expire(ctx, key, time.Minute)
	if _, err := p.Exec(ctx); err != nil {
		return false, err
	}
	return got.Val(), nil
}
