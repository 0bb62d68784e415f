// Package watch uses WATCH without MULTI around the Del [D7].
package watch

import (
	"context"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

var errNotOwner = errors.New("not the owner")

// WATCH guards EXEC only; tx.Del runs at once.
type tableLock struct {
	rdb        *redis.Client
	key, owner string
}

func (l *tableLock) Lock(ctx context.Context) (bool, error) {
	return l.rdb.SetNX(ctx, l.key, l.owner, time.Minute).Result()
}

func (l *tableLock) Unlock(ctx context.Context) error {
	return l.rdb.Watch(ctx, func(tx *redis.Tx) error {
		cur, err := tx.Get(ctx, l.key).Result()
		if err != nil || cur != l.owner {
			return err
		}
		return tx.Del(ctx, l.key).Err() // want `get-del-race: `
	}, l.key)
}

// In a defer, the Del in the branch that matched.
func reshard(ctx context.Context, rdb redis.UniversalClient, slot, me string, fn func() error) error {
	key := "reshard:lock:" + slot
	if !rdb.SetNX(ctx, key, me, time.Minute).Val() {
		return errNotOwner
	}
	defer rdb.Watch(context.WithoutCancel(ctx), func(tx *redis.Tx) error {
		if tx.Get(ctx, key).Val() == me {
			tx.Del(ctx, key) // want `get-del-race: `
		}
		return nil
	}, key)
	return fn()
}

// The callback is a variable, Unlink in place of Del.
func acquireShelf(ctx context.Context, rdb *redis.ClusterClient, shelf, robot string) (bool, error) {
	return rdb.SetNX(ctx, "shelf:{"+shelf+"}", robot, time.Minute).Result()
}

func releaseShelf(ctx context.Context, rdb *redis.ClusterClient, shelf, robot string) error {
	key := "shelf:{" + shelf + "}"
	free := func(tx *redis.Tx) error {
		holder, err := tx.Get(ctx, key).Result()
		if err != nil {
			return err
		}
		if holder != robot {
			return errNotOwner
		}
		_, err = tx.Unlink(ctx, key).Result() // want `get-del-race: `
		return err
	}
	return rdb.Watch(ctx, free, key)
}
