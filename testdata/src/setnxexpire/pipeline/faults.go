// Package pipeline queues both commands: Pipeline is no transaction [A3], and in
// MULTI the losers push the holder's expiry out [A4].
package pipeline

import (
	"context"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

var errBusy = errors.New("busy")

func lockKey(id string) string { return "lock:shipment:" + id }

// A3.
func tryLock(ctx context.Context, rdb *redis.Client, shipment, token string) (bool, error) {
	pipe := rdb.Pipeline()
	won := pipe.SetNX(ctx, lockKey(shipment), token, 0) // want `setnx-expire: `
	pipe.Expire(ctx, lockKey(shipment), 30*time.Second)
	_, err := pipe.Exec(ctx)
	return won.Val(), err
}

// A3 in a callback.
func lockPallet(ctx context.Context, rdb redis.UniversalClient, pallet, token string) error {
	key := "pallet:" + pallet + ":lock"
	var won *redis.BoolCmd
	_, err := rdb.Pipelined(ctx, func(p redis.Pipeliner) error {
		won = p.SetNX(ctx, key, token, 0) // want `setnx-expire: `
		return p.Expire(ctx, key, time.Minute).Err()
	})
	if err != nil || !won.Val() {
		return errBusy
	}
	return nil
}

// A3 in a method that hands on the command.
type forkliftMutex struct {
	rdb  *redis.Client
	name string
}

func (m *forkliftMutex) Lock(ctx context.Context, driver string) (bool, error) {
	p := m.rdb.Pipeline()
	cmd := p.SetNX(ctx, m.name, driver, 0) // want `setnx-expire: `
	p.PExpire(ctx, m.name, 1500*time.Millisecond)
	if _, err := p.Exec(ctx); err != nil {
		return false, err
	}
	return cmd.Result()
}

// A4.
func tryLockTx(ctx context.Context, rdb *redis.Client, truck, token string) (bool, error) {
	pipe := rdb.TxPipeline()
	won := pipe.SetNX(ctx, "lock:truck:"+truck, token, 0) // want `setnx-expire: `
	pipe.Expire(ctx, "lock:truck:"+truck, 30*time.Second)
	_, err := pipe.Exec(ctx)
	return won.Val(), err
}

// A4 in a callback.
func lockRamp(ctx context.Context, rdb *redis.ClusterClient, ramp, token string) error {
	key := "lock:ramp:{" + ramp + "}"
	var won *redis.BoolCmd
	if _, err := rdb.TxPipelined(ctx, func(tx redis.Pipeliner) error {
		won = tx.SetNX(ctx, key, token, 0) // want `setnx-expire: `
		tx.Expire(ctx, key, time.Minute)
		return nil
	}); err != nil {
		return err
	}
	if !won.Val() {
		return errBusy
	}
	return nil
}

// A4 under WATCH.
type craneLock struct {
	rdb *redis.Client
	key string
}

func (l *craneLock) TryLock(ctx context.Context, token string) (ok bool, err error) {
	err = l.rdb.Watch(ctx, func(tx *redis.Tx) error {
		var won *redis.BoolCmd
		_, err := tx.TxPipelined(ctx, func(p redis.Pipeliner) error {
			won = p.SetNX(ctx, l.key, token, 0) // want `setnx-expire: `
			p.Expire(ctx, l.key, time.Minute)
			return nil
		})
		ok = won.Val()
		return err
	}, l.key)
	return ok, err
}
