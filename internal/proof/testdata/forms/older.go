//go:build go1.22

package main

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/locklint/locklint/internal/proof/harness"
)

// A file for a Go without crypto/rand.Text.

func olderErr(ctx context.Context, rdb *redis.Client, id string) (int, error) {
	key := "olderErr:lock:" + id
	if !rdb.SetNX(ctx, key, "1", time.Hour).Val() {
		return 0, nil
	}
	defer rdb.Del(ctx, key)
	return 1, work(ctx)
}

func olderVoid(ctx context.Context, rdb *redis.Client, id string) {
	key := "olderVoid:lock:" + id
	if rdb.SetNX(ctx, key, "1", time.Hour).Val() {
		_ = work(ctx)
		rdb.Del(ctx, key)
	}
}

var olderForms = map[string]harness.Form{
	"olderErr": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(olderErr(ctx, s.Client(), s.ID))
	},
	"olderVoid": func(ctx context.Context, s *harness.Scene) string {
		olderVoid(ctx, s.Client(), s.ID)
		return harness.Show()
	},
}
