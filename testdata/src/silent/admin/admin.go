// Package admin frees locks that somebody else holds, on purpose [F8].
package admin

import (
	"context"
	"crypto/rand"
	"time"

	"github.com/redis/go-redis/v9"
)

var compareAndDelete = redis.NewScript(`if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) end return 0`)

type Lock struct {
	rdb        *redis.Client
	key, token string
}

func New(rdb *redis.Client, key string) *Lock { return &Lock{rdb: rdb, key: key} }

func (l *Lock) Acquire(ctx context.Context) (bool, error) {
	token := rand.Text()
	ok, err := l.rdb.SetNX(ctx, l.key, token, time.Minute).Result()
	if err == nil && ok {
		l.token = token
	}
	return ok, err
}

func (l *Lock) Release(ctx context.Context) error {
	return compareAndDelete.Run(ctx, l.rdb, []string{l.key}, l.token).Err()
}

// ForceUnlock frees the lock whoever holds it: an operator's command, beside a
// sound release.
func (l *Lock) ForceUnlock(ctx context.Context) error {
	return l.rdb.Del(ctx, l.key).Err()
}

// Reset is for administrators only. It forces the lock open.
func (l *Lock) Reset(ctx context.Context) error {
	return l.rdb.Unlink(ctx, l.key).Err()
}

// Clear is a clean-up after a crash.
func (l *Lock) Clear(ctx context.Context) error {
	return l.rdb.Del(ctx, l.key).Err()
}
