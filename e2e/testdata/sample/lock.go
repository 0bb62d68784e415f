// Package sample takes a lock in the two ways that most often go wrong: it expires
// the key by a second command, and deletes it without asking whose it is.
package sample

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
)

// Once runs work if no other process does.
func Once(ctx context.Context, rdb *redis.Client, work func() error) error {
	ok, err := rdb.SetNX(ctx, "lock:nightly", "1", 0).Result()
	if err != nil || !ok {
		return err
	}
	if err := rdb.Expire(ctx, "lock:nightly", time.Minute).Err(); err != nil {
		return err
	}
	defer rdb.Del(ctx, "lock:nightly")
	return work()
}
