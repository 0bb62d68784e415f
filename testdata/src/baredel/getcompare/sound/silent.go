// Package sound checks the owner in the same command that frees or renews.
package sound

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
	return l.rdb.SetNX(ctx, l.key, l.token, time.Minute).Result()
}

// Redis 8.4: DELEX with IFEQ [D4].
func (l *Lock) Release(ctx context.Context) error {
	return l.rdb.DelExArgs(ctx, l.key, redis.DelExArgs{Mode: "IFEQ", MatchValue: l.token}).Err()
}

// The mode in lower case, the arguments in a variable [D17].
func (l *Lock) ReleaseLower(ctx context.Context) error {
	args := redis.DelExArgs{MatchValue: l.token}
	args.Mode = "ifeq"
	return l.rdb.DelExArgs(ctx, l.key, args).Err()
}

// Redis 8.4: compare-and-set as renewal [D17].
func (l *Lock) Renew(ctx context.Context) error {
	return l.rdb.SetIFEQ(ctx, l.key, l.token, l.token, time.Minute).Err()
}

// A Get that only reports [E3].
func (l *Lock) IsHeld(ctx context.Context) (bool, error) {
	cur, err := l.rdb.Get(ctx, l.key).Result()
	return err == nil && cur == l.token, err
}
