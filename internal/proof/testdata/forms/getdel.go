package main

import (
	"context"
	"crypto/rand"
	"errors"

	"github.com/redis/go-redis/v9"

	"github.com/locklint/locklint/internal/proof/harness"
)

// GETDEL compares when the lock is gone already.

func getDel(ctx context.Context, rdb *redis.Client, id, token string) (string, error) {
	key := "getDel:lock:" + id
	if !rdb.SetNX(ctx, key, token, lease).Val() {
		return "", errBusy
	}
	_ = work(ctx)
	was, err := rdb.GetDel(ctx, key).Result()
	if errors.Is(err, redis.Nil) {
		return "gone", nil
	}
	return was, err
}

func getDelAsked(ctx context.Context, rdb *redis.Client, id, token string) bool {
	key := "getDelAsked:lock:" + id
	if !rdb.SetNX(ctx, key, token, lease).Val() {
		return false
	}
	_ = work(ctx)
	return rdb.GetDel(ctx, key).Val() == token
}

func getDelDropped(ctx context.Context, rdb *redis.Client, id string) error {
	key := "getDelDropped:lock:" + id
	if !rdb.SetNX(ctx, key, rand.Text(), lease).Val() {
		return errBusy
	}
	defer rdb.GetDel(ctx, key)
	return work(ctx)
}

var getDelForms = map[string]harness.Form{
	"getDel": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(getDel(ctx, s.Client(), s.ID, s.Token))
	},
	"getDelAsked": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(getDelAsked(ctx, s.Client(), s.ID, s.Token))
	},
	"getDelDropped": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(getDelDropped(ctx, s.Client(), s.ID))
	},
}
