// Package sound frees inside MULTI under WATCH, which is right.
package sound

import (
	"context"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

type RouteLock struct {
	rdb        *redis.Client
	key, owner string
}

func (l *RouteLock) Lock(ctx context.Context) (bool, error) {
	return l.rdb.SetNX(ctx, l.key, l.owner, time.Minute).Result()
}

func (l *RouteLock) Unlock(ctx context.Context) error {
	return l.rdb.Watch(ctx, func(tx *redis.Tx) error {
		cur, err := tx.Get(ctx, l.key).Result()
		if err != nil || cur != l.owner {
			return err
		}
		_, err = tx.TxPipelined(ctx, func(pipe redis.Pipeliner) error {
			pipe.Del(ctx, l.key)
			return nil
		})
		return err // redis.TxFailedErr if the key moved
	}, l.key)
}

// The same with a pipeline in a variable that a helper executes.
func (l *RouteLock) Release(ctx context.Context) error {
	return l.rdb.Watch(ctx, func(tx *redis.Tx) error {
		if tx.Get(ctx, l.key).Val() != l.owner {
			return nil
		}
		pipe := tx.TxPipeline()
		pipe.Unlink(ctx, l.key)
		return exec(ctx, pipe)
	}, l.key)
}

func exec(ctx context.Context, pipe redis.Pipeliner) error {
	_, err := pipe.Exec(ctx)
	if errors.Is(err, redis.TxFailedErr) {
		return nil
	}
	return err
}

// Renewal under the same guard.
func (l *RouteLock) Extend(ctx context.Context, ttl time.Duration) error {
	return l.rdb.Watch(ctx, func(tx *redis.Tx) error {
		if tx.Get(ctx, l.key).Val() != l.owner {
			return nil
		}
		_, err := tx.TxPipelined(ctx, func(pipe redis.Pipeliner) error {
			return pipe.Expire(ctx, l.key, ttl).Err()
		})
		return err
	}, l.key)
}

// WATCH over data: a stock that is sold out is removed. No lock here.
func dropEmptyStock(ctx context.Context, rdb *redis.Client, sku string) error {
	key := "stock:" + sku
	return rdb.Watch(ctx, func(tx *redis.Tx) error {
		if n, err := tx.Get(ctx, key).Int(); err != nil || n > 0 {
			return err
		}
		return tx.Del(ctx, key).Err()
	}, key)
}
