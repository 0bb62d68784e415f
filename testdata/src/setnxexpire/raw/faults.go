// Package raw creates its locks by Do and Process [A1 and A15 in raw form].
package raw

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

var (
	errBusy          = errors.New("busy")
	compareAndDelete = redis.NewScript(`if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) end return 0`)
)

// A15: no EX, no PX.
func dye(ctx context.Context, rdb *redis.Client, batch string, fn func() error) error {
	key, token := "dye:"+batch, rand.Text()
	if err := rdb.Do(ctx, "SET", key, token, "NX").Err(); err != nil { // want `no-ttl: `
		return errBusy
	}
	defer compareAndDelete.Run(context.WithoutCancel(ctx), rdb, []string{key}, token)
	return fn()
}

// A15 as SETNX with its two arguments, in a method pair.
type loomLock struct {
	rdb redis.UniversalClient
	key string
}

func (l *loomLock) Lock(ctx context.Context) (bool, error) {
	n, err := l.rdb.Do(ctx, "setnx", l.key, "1").Int() // want `no-ttl: `
	return n == 1, err
}

func (l *loomLock) Unlock(ctx context.Context) error { return l.rdb.Do(ctx, "del", l.key).Err() }

// A15 through Process, in mixed case, freed by the typed method.
func weave(ctx context.Context, rdb *redis.Client, loom string, fn func()) error {
	if err := rdb.Process(ctx, redis.NewStatusCmd(ctx, "Set", "weave:"+loom, "1", "Nx")); err != nil { // want `no-ttl: `
		return errBusy
	}
	fn()
	return rdb.Del(ctx, "weave:"+loom).Err()
}

// A1, both commands raw.
func spin(ctx context.Context, rdb *redis.Client, wheel string, fn func() error) error {
	key := "spin:" + wheel
	ok, err := rdb.Do(ctx, "SETNX", key, rand.Text()).Bool() // want `setnx-expire: `
	if err != nil || !ok {
		return errBusy
	}
	rdb.Do(ctx, "EXPIRE", key, 30)
	return fn()
}

// A1, raw and typed.
func knit(ctx context.Context, rdb redis.UniversalClient, row string, fn func() error) error {
	key := "knit:" + row
	n, err := rdb.Do(ctx, "SETNX", key, 1).Int() // want `setnx-expire: `
	if err != nil || n == 0 {
		return errBusy
	}
	if err := rdb.PExpire(ctx, key, 10*time.Second).Err(); err != nil {
		return err
	}
	return fn()
}
