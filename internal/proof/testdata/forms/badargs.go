package main

import (
	"context"

	"github.com/redis/go-redis/v9"

	"github.com/locklint/locklint/internal/proof/harness"
)

// SETNX with options, which the server refuses: nobody ever gets the lock.

func refusedErr(ctx context.Context, rdb *redis.Client, id, token string) bool {
	return rdb.Do(ctx, "SETNX", "refusedErr:lock:"+id, token, "EX", 3600).Err() == nil
}

func refusedIgnored(ctx context.Context, rdb *redis.Client, id, token string) {
	rdb.Do(ctx, "setnx", "refusedIgnored:lock:"+id, token, "NX", "PX", 3600000)
}

func refusedBool(ctx context.Context, rdb *redis.Client, id, token string, secs int) bool {
	ok, err := rdb.Do(ctx, "SETNX", "refusedBool:lock:"+id, token, "EX", secs).Bool()
	return err == nil && ok
}

var badargsForms = map[string]harness.Form{
	"refusedErr": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(refusedErr(ctx, s.Client(), s.ID, s.Token))
	},
	"refusedIgnored": func(ctx context.Context, s *harness.Scene) string {
		refusedIgnored(ctx, s.Client(), s.ID, s.Token)
		return harness.Show()
	},
	"refusedBool": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(refusedBool(ctx, s.Client(), s.ID, s.Token, 3600))
	},
}
