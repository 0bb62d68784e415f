// Package unsteady has faults that are reported without a fix: the expiry is not
// known where the key is created, the token may be another attempt's by the time of
// the release, or a directive keeps the code as it is.
package unsteady

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

var (
	errBusy  = errors.New("busy")
	lifetime time.Duration
)

type config struct{ TTL time.Duration }

type service struct {
	rdb *redis.Client
	ttl time.Duration
	tok string
}

func (s *service) filledLater(ctx context.Context, key string) error {
	var cfg config
	ok, err := s.rdb.SetNX(ctx, key, rand.Text(), 0).Result()
	if err != nil || !ok {
		return errBusy
	}
	cfg.TTL = time.Minute
	s.rdb.Expire(ctx, key, cfg.TTL)
	return nil
}

func (s *service) fieldLater(ctx context.Context, key string) error {
	ok, err := s.rdb.SetNX(ctx, key, rand.Text(), 0).Result()
	if err != nil || !ok {
		return errBusy
	}
	s.ttl = time.Hour
	s.rdb.Expire(ctx, key, s.ttl)
	return nil
}

func (s *service) globalLater(ctx context.Context, key string) error {
	ok, err := s.rdb.SetNX(ctx, key, rand.Text(), 0).Result()
	if err != nil || !ok {
		return errBusy
	}
	lifetime = time.Hour
	s.rdb.Expire(ctx, key, lifetime)
	return nil
}

func (s *service) calls(ctx context.Context, key string) error {
	ok, err := s.rdb.SetNX(ctx, key, rand.Text(), 0).Result()
	if err != nil || !ok {
		return errBusy
	}
	s.rdb.Expire(ctx, key, s.next())
	return nil
}

func (s *service) next() time.Duration {
	s.ttl += time.Second
	return s.ttl
}

// One service, many keys: each attempt writes the token of the one before over.
func (s *service) run(ctx context.Context, id string, fn func() error) error {
	s.tok = rand.Text()
	if !s.rdb.SetNX(ctx, "run:lock:"+id, s.tok, time.Minute).Val() {
		return errBusy
	}
	defer func() { s.rdb.Del(ctx, "run:lock:"+id) }()
	return fn()
}

func (s *service) kept(ctx context.Context, id string, fn func() error) error {
	//locklint:ignore weak-token another program compares with it
	if !s.rdb.SetNX(ctx, "kept:lock:"+id, "1", time.Minute).Val() {
		return errBusy
	}
	defer s.rdb.Del(ctx, "kept:lock:"+id)
	return fn()
}

// The token is made in the if alone: making it again makes another.
func scoped(ctx context.Context, rdb *redis.Client, id string) error {
	key := "scoped:lock:" + id
	ok := false
	if tok := rand.Text(); rdb.SetNX(ctx, key, tok, time.Minute).Val() {
		ok = true
	}
	if !ok {
		return errBusy
	}
	defer rdb.Del(ctx, key)
	return ctx.Err()
}
