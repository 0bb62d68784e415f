package main

import (
	"context"
	"os"
	"strconv"

	"github.com/redis/go-redis/v9"

	"github.com/locklint/locklint/internal/proof/harness"
)

// A value that a process shares among its acquisitions.

func process(ctx context.Context, rdb *redis.Client, id string) error {
	key := "process:lock:" + id
	if !rdb.SetNX(ctx, key, strconv.Itoa(os.Getpid()), lease).Val() {
		return errBusy
	}
	defer rdb.Del(ctx, key)
	return work(ctx)
}

var processForms = map[string]harness.Form{
	"process": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(process(ctx, s.Client(), s.ID))
	},
}
