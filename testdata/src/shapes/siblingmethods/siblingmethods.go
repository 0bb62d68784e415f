// Package siblingmethods takes a lock in one method and frees it in another.
package siblingmethods

import (
	"context"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
)

type Locker struct {
	rdb *redis.Client
	ttl time.Duration
}

func (l *Locker) key(job string) string { return fmt.Sprintf("lock:job:%s", job) }

func (l *Locker) Acquire(ctx context.Context, job string) (bool, error) {
	return l.rdb.SetNX(ctx, l.key(job), "1", l.ttl).Result()
}

func (l *Locker) Release(ctx context.Context, job string) error {
	return l.rdb.Del(ctx, l.key(job)).Err()
}
