// Package acquiring holds the near-misses of the cases about taking a lock: right
// ways to take one, and commands that only look like it.
package acquiring

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

const ttl = 30 * time.Second

var (
	errBusy = errors.New("busy")
	unlock  = redis.NewScript(`if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) end return 0`)
)

// B1: refreshes a session that is still there.
func refresh(ctx context.Context, rdb *redis.Client, session, blob string) (bool, error) {
	return rdb.SetXX(ctx, "session:"+session, blob, time.Hour).Result()
}

// B2: check then act, inside WATCH and MULTI.
func takeWatched(ctx context.Context, rdb *redis.Client, berth, token string) error {
	key := "berth:lock:" + berth
	return rdb.Watch(ctx, func(tx *redis.Tx) error {
		if err := tx.Get(ctx, key).Err(); !errors.Is(err, redis.Nil) {
			return errBusy
		}
		_, err := tx.TxPipelined(ctx, func(p redis.Pipeliner) error {
			p.Set(ctx, key, token, ttl)
			return nil
		})
		return err
	}, key)
}

// B2: a cache fill, where the last write may win.
func tariff(ctx context.Context, rdb *redis.Client, port string, load func() (string, error)) (string, error) {
	v, err := rdb.Get(ctx, "tariff:"+port).Result()
	if !errors.Is(err, redis.Nil) {
		return v, err
	}
	if v, err = load(); err != nil {
		return "", err
	}
	return v, rdb.Set(ctx, "tariff:"+port, v, time.Hour).Err()
}

// B3: reads and resets a counter.
func drainCounter(ctx context.Context, rdb *redis.Client) (int64, error) {
	return rdb.GetSet(ctx, "containers:today", 0).Int64()
}

// B4: ownership is checked in another way.
func readBack(ctx context.Context, rdb *redis.Client, crane string, fn func() error) error {
	key, token := "crane:lock:"+crane, rand.Text()
	if err := rdb.SetNX(ctx, key, token, ttl).Err(); err != nil {
		return err
	}
	if owner, err := rdb.Get(ctx, key).Result(); err != nil || owner != token {
		return errBusy
	}
	defer unlock.Run(context.WithoutCancel(ctx), rdb, []string{key}, token)
	return fn()
}

// B4: seeds and set-if-absent caches look at the error only.
func seed(ctx context.Context, rdb *redis.Client, ship, flag string) error {
	_, err := rdb.SetNX(ctx, "ship:flag:"+ship, flag, 0).Result()
	return err
}

// B5: Val is false on an error, so this fails closed.
func failClosed(ctx context.Context, rdb *redis.Client, dock string, fn func() error) error {
	key, token := "dock:"+dock, rand.Text()
	if !rdb.SetNX(ctx, key, token, ttl).Val() {
		return errBusy
	}
	defer unlock.Run(context.WithoutCancel(ctx), rdb, []string{key}, token)
	return fn()
}

// B6: nobody tells busy from broken here, so any error may mean "not taken".
func tryArgs(ctx context.Context, rdb *redis.Client, buoy, token string) bool {
	return rdb.SetArgs(ctx, "buoy:"+buoy, token, redis.SetArgs{Mode: "NX", TTL: ttl}).Err() == nil
}

// B7: load or store, and knows that redis.Nil means "stored".
func loadOrStore(ctx context.Context, rdb *redis.Client, ship, captain string) (string, bool, error) {
	old, err := rdb.SetArgs(ctx, "captain:"+ship, captain, redis.SetArgs{Mode: "NX", TTL: time.Hour, Get: true}).Result()
	if errors.Is(err, redis.Nil) {
		return captain, false, nil
	}
	return old, true, err
}

// B8: the command is kept and read after Exec.
func queued(ctx context.Context, rdb *redis.Client, pilot, token string) (bool, error) {
	var won *redis.BoolCmd
	_, err := rdb.Pipelined(ctx, func(p redis.Pipeliner) error {
		won = p.SetNX(ctx, "pilot:lock:"+pilot, token, ttl)
		return nil
	})
	return won.Val(), err
}

// B9: the pause sits in a helper, and a cancelled ctx ends the loop.
func wait(ctx context.Context, rdb *redis.Client, lane, token string) error {
	for {
		ok, err := rdb.SetNX(ctx, "lane:"+lane, token, ttl).Result()
		if err != nil || ok {
			return err
		}
		if err := pause(ctx, 50*time.Millisecond); err != nil {
			return err
		}
	}
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// B10: bounded.
func fewTries(ctx context.Context, rdb *redis.Client, tug, token string) bool {
	for range 5 {
		if rdb.SetNX(ctx, "tug:"+tug, token, ttl).Val() {
			return true
		}
		time.Sleep(20 * time.Millisecond)
	}
	return false
}

// B11: a status flag, no mutual exclusion.
func suspend(ctx context.Context, rdb *redis.Client, user string) error {
	return rdb.Set(ctx, "account:locked:"+user, 1, 15*time.Minute).Err()
}

// B12: one order for everybody.
func both(ctx context.Context, rdb *redis.Client, a, b, token string) error {
	if a > b {
		a, b = b, a
	}
	if err := wait(ctx, rdb, a, token); err != nil {
		return err
	}
	return wait(ctx, rdb, b, token)
}
