// Package newer uses commands that only the newer clients have.
package newer

import (
	"context"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

const ttl = time.Minute

var errBusy = errors.New("busy")

func work(ctx context.Context) error { return ctx.Err() }

// DELEX without a condition is DEL.
func bare(ctx context.Context, rdb *redis.Client, id, token string) (int64, error) {
	key := "bare:lock:" + id
	if !rdb.SetNX(ctx, key, token, ttl).Val() {
		return 0, errBusy
	}
	_ = work(ctx)
	return rdb.DelExArgs(ctx, key, redis.DelExArgs{}).Result()
}

// The condition says the opposite.
func unequal(ctx context.Context, rdb *redis.Client, id string) error {
	key := "unequal:lock:" + id
	if !rdb.SetNX(ctx, key, "1", ttl).Val() {
		return errBusy
	}
	defer rdb.DelExArgs(ctx, key, redis.DelExArgs{
		Mode:       "IFNE",
		MatchValue: "1",
	})
	return work(ctx)
}

// Which condition it is, is not known.
func chosen(ctx context.Context, rdb *redis.Client, id, token string, args redis.DelExArgs) error {
	key := "chosen:lock:" + id
	if !rdb.SetNX(ctx, key, token, ttl).Val() {
		return errBusy
	}
	defer rdb.DelExArgs(ctx, key, args)
	return work(ctx)
}
