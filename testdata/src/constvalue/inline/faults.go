// Package inline makes a unique token and throws it away, so that only a bare Del
// is left [C5].
package inline

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

var errBusy = errors.New("busy")

func newToken() string {
	b := make([]byte, 16)
	if _, err := rand.Read(b); err != nil {
		panic(err)
	}
	return hex.EncodeToString(b)
}

// A deferred Del.
func plant(ctx context.Context, rdb *redis.Client, bed string, fn func() error) error {
	key := "plant:" + bed
	ok, err := rdb.SetNX(ctx, key, newToken(), time.Minute).Result() // want `lost-token: `
	if err != nil || !ok {
		return errBusy
	}
	defer rdb.Del(ctx, key)
	return fn()
}

// A method pair.
type bedLock struct{ rdb redis.UniversalClient }

func (l *bedLock) Lock(ctx context.Context, bed string) bool {
	return l.rdb.SetNX(ctx, "bed:"+bed, rand.Text(), time.Minute).Val() // want `lost-token: `
}

func (l *bedLock) Unlock(ctx context.Context, bed string) { l.rdb.Del(ctx, "bed:"+bed) }

// A returned unlock function, with SetArgs.
func lockGreenhouse(ctx context.Context, rdb *redis.Client, house string) (func(), error) {
	key := "greenhouse:lock:" + house
	err := rdb.SetArgs(ctx, key, "gardener-"+rand.Text(), redis.SetArgs{Mode: "NX", TTL: time.Minute}).Err() // want `lost-token: `
	if errors.Is(err, redis.Nil) {
		return nil, errBusy
	}
	if err != nil {
		return nil, err
	}
	return func() { rdb.Del(context.WithoutCancel(ctx), key) }, nil
}

// In a retry loop, with a fresh one for each attempt.
func water(ctx context.Context, rdb redis.Cmdable, bed string, fn func()) error {
	for range 3 {
		if rdb.SetNX(ctx, "water:"+bed, newToken(), time.Minute).Val() { // want `lost-token: `
			fn()
			return rdb.Unlink(ctx, "water:"+bed).Err()
		}
		time.Sleep(50 * time.Millisecond)
	}
	return errBusy
}
