// Package getcompare checks the owner and frees in two steps [D4], renews in two
// steps [E3], or frees first and checks after [D16].
package getcompare

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

var errLost = errors.New("lock lost")

// D4, in methods of one type, with an early return.
type seatLock struct {
	rdb        *redis.Client
	key, token string
}

func (l *seatLock) Lock(ctx context.Context) (bool, error) {
	return l.rdb.SetNX(ctx, l.key, l.token, 30*time.Second).Result()
}

func (l *seatLock) Unlock(ctx context.Context) error {
	cur, err := l.rdb.Get(ctx, l.key).Result()
	if err != nil {
		return err
	}
	if cur != l.token {
		return errLost
	}
	return l.rdb.Del(ctx, l.key).Err() // want `get-del-race: `
}

// E3: the renewal of the same lock, check then act.
func (l *seatLock) Extend(ctx context.Context, ttl time.Duration) (bool, error) {
	cur, err := l.rdb.Get(ctx, l.key).Result()
	if err != nil || cur != l.token {
		return false, err
	}
	return l.rdb.Expire(ctx, l.key, ttl).Result() // want `get-del-race: `
}

// D4 in a deferred literal, the Del inside the condition.
func pack(ctx context.Context, rdb *redis.Client, parcel string, fn func() error) error {
	key, token := "lock:parcel:"+parcel, rand.Text()
	if !rdb.SetNX(ctx, key, token, time.Minute).Val() {
		return errLost
	}
	defer func() {
		if v, err := rdb.Get(ctx, key).Result(); err == nil && v == token {
			rdb.Del(ctx, key) // want `get-del-race: `
		}
	}()
	return fn()
}

// D4 in plain functions with the key as a parameter.
func acquireLock(ctx context.Context, rdb redis.Cmdable, key, id string) bool {
	return rdb.SetNX(ctx, key, id, time.Minute).Val()
}

func releaseLock(ctx context.Context, rdb redis.Cmdable, key, id string) {
	if rdb.Get(ctx, key).Val() == id {
		rdb.Unlink(ctx, key) // want `get-del-race: `
	}
}

// E3 in a function literal that a timer calls.
func hold(ctx context.Context, rdb *redis.Client, dock string) *time.Timer {
	key, token := "dock:lock:"+dock, rand.Text()
	if !rdb.SetNX(ctx, key, token, time.Minute).Val() {
		return nil
	}
	return time.AfterFunc(20*time.Second, func() {
		if owner := rdb.Get(ctx, key).Val(); owner == token {
			rdb.PExpire(ctx, key, time.Minute) // want `get-del-race: `
		}
	})
}

// E3 in plain functions.
func acquireLease(ctx context.Context, rdb *redis.Client, shard, me string) (bool, error) {
	return rdb.SetNX(ctx, "lease:"+shard, me, time.Minute).Result()
}

func renewLease(ctx context.Context, rdb *redis.Client, shard, me string) bool {
	holder, err := rdb.Get(ctx, "lease:"+shard).Result()
	if err == nil && holder == me {
		ok, err := rdb.Expire(ctx, "lease:"+shard, time.Minute).Result() // want `get-del-race: `
		return ok && err == nil
	}
	return false
}

// D16: GETDEL compares when the other holder's lock is gone already.
type printerMutex struct {
	rdb   *redis.Client
	name  string
	token string
}

func (m *printerMutex) TryLock(ctx context.Context) (bool, error) {
	return m.rdb.SetNX(ctx, "printer:"+m.name, m.token, time.Minute).Result()
}

func (m *printerMutex) Unlock(ctx context.Context) error {
	cur, err := m.rdb.GetDel(ctx, "printer:"+m.name).Result() // want `get-del-race: `
	if err == nil && cur != m.token {
		return errLost
	}
	return err
}

// D16 deferred, the value thrown away.
func calibrate(ctx context.Context, rdb *redis.Client, scale string, fn func() error) error {
	lockKey := "calibrate:lock:" + scale
	ok, err := rdb.SetNX(ctx, lockKey, rand.Text(), time.Minute).Result()
	if err != nil || !ok {
		return errLost
	}
	defer func() {
		rdb.GetDel(context.WithoutCancel(ctx), lockKey) // want `get-del-race: `
	}()
	return fn()
}

// D16 in plain functions, with the switch on the value behind it.
func obtainBay(ctx context.Context, rdb redis.UniversalClient, bay, truck string) bool {
	return rdb.SetNX(ctx, "bay:"+bay+":lock", truck, time.Hour).Val()
}

func releaseBay(ctx context.Context, rdb redis.UniversalClient, bay, truck string) error {
	switch owner, err := rdb.GetDel(ctx, "bay:"+bay+":lock").Result(); { // want `get-del-race: `
	case errors.Is(err, redis.Nil):
		return nil
	case err != nil:
		return err
	case owner != truck:
		return errLost
	}
	return nil
}
