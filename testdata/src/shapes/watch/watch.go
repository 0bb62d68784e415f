// Package watch compares and frees under WATCH, without MULTI in one method and
// with it in another.
package watch

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
)

type Lock struct {
	rdb        *redis.Client
	key, token string
}

func (l *Lock) Acquire(ctx context.Context) (bool, error) {
	return l.rdb.SetNX(ctx, l.key, l.token, 30*time.Second).Result()
}

func (l *Lock) Release(ctx context.Context) error {
	return l.rdb.Watch(ctx, func(tx *redis.Tx) error {
		if cur, err := tx.Get(ctx, l.key).Result(); err != nil || cur != l.token {
			return err
		}
		return tx.Del(ctx, l.key).Err()
	}, l.key)
}

func (l *Lock) Unlock(ctx context.Context) error {
	return l.rdb.Watch(ctx, func(tx *redis.Tx) error {
		if cur, err := tx.Get(ctx, l.key).Result(); err != nil || cur != l.token {
			return err
		}
		_, err := tx.TxPipelined(ctx, func(p redis.Pipeliner) error {
			p.Del(ctx, l.key)
			return nil
		})
		return err
	}, l.key)
}
