package main

import (
	"context"
	"crypto/rand"

	"github.com/redis/go-redis/v9"

	"github.com/locklint/locklint/internal/proof/harness"
)

// The function that acquires makes the handle; the value is a constant.
type permit struct {
	rdb *redis.Client
	key string
}

func grant(ctx context.Context, rdb *redis.Client, id string) (*permit, error) {
	key := "made:lock:" + id
	ok, err := rdb.SetNX(ctx, key, "1", lease).Result()
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, errBusy
	}
	return &permit{rdb: rdb, key: key}, nil
}

func (p *permit) revoke(ctx context.Context) (int64, error) { return p.rdb.Del(ctx, p.key).Result() }

// The token is an argument.
type badge struct {
	rdb *redis.Client
	id  string
}

func issue(ctx context.Context, rdb *redis.Client, id, token string) (*badge, error) {
	if ok, err := rdb.SetNX(ctx, "madeGiven:lock:"+id, token, lease).Result(); err != nil {
		return nil, err
	} else if !ok {
		return nil, errBusy
	}
	return &badge{rdb, id}, nil
}

func (b *badge) void(ctx context.Context) error {
	return b.rdb.Del(ctx, "madeGiven:lock:"+b.id).Err()
}

// The token is made in the call.
type stub struct{ key string }

func tear(ctx context.Context, rdb *redis.Client, id string) (s stub, err error) {
	key := "madeInline:lock:" + id
	ok, err := rdb.SetNX(ctx, key, rand.Text(), lease).Result()
	if err == nil && !ok {
		err = errBusy
	}
	return stub{key: key}, err
}

func spend(ctx context.Context, rdb *redis.Client, s stub) error { return rdb.Del(ctx, s.key).Err() }

// The handle is filled before the lock is acquired, and has the token.
type pass struct {
	rdb        *redis.Client
	key, token string
}

func obtain(ctx context.Context, rdb *redis.Client, id, token string) (*pass, error) {
	p := &pass{rdb: rdb, key: "madeBefore:lock:" + id, token: token}
	ok, err := p.rdb.SetNX(ctx, p.key, p.token, lease).Result()
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, errBusy
	}
	return p, nil
}

func (p *pass) end(ctx context.Context) error { return p.rdb.Unlink(ctx, p.key).Err() }

var madeForms = map[string]harness.Form{
	"made": func(ctx context.Context, s *harness.Scene) string {
		p, err := grant(ctx, s.Client(), s.ID)
		if err != nil {
			return harness.Show(err)
		}
		return harness.Show(p.revoke(ctx))
	},
	"madeGiven": func(ctx context.Context, s *harness.Scene) string {
		b, err := issue(ctx, s.Client(), s.ID, s.Token)
		if err != nil {
			return harness.Show(err)
		}
		return harness.Show(b.void(ctx))
	},
	"madeInline": func(ctx context.Context, s *harness.Scene) string {
		rdb := s.Client()
		t, err := tear(ctx, rdb, s.ID)
		if err != nil {
			return harness.Show(err)
		}
		return harness.Show(spend(ctx, rdb, t))
	},
	"madeBefore": func(ctx context.Context, s *harness.Scene) string {
		p, err := obtain(ctx, s.Client(), s.ID, s.Token)
		if err != nil {
			return harness.Show(err)
		}
		return harness.Show(p.end(ctx))
	},
}
