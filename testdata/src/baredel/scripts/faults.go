// Package scripts frees by a script that does not compare [D5].
package scripts

import (
	"context"
	"crypto/rand"
	_ "embed"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

var errBusy = errors.New("busy")

// A NewScript variable.
var freeScript = redis.NewScript(`return redis.call("del", KEYS[1])`)

type quotaLock struct{ rdb *redis.Client }

func (l *quotaLock) Acquire(ctx context.Context, team string) (bool, error) {
	return l.rdb.SetNX(ctx, "quota:lock:"+team, rand.Text(), time.Minute).Result()
}

func (l *quotaLock) Release(ctx context.Context, team, token string) error {
	return freeScript.Run(ctx, l.rdb, []string{"quota:lock:" + team}, token).Err() // want `unowned-release: `
}

// A constant, put together from pieces, sent by Eval. The argument is passed and
// never read.
const (
	header   = "local key = KEYS[1]\n"
	freeText = header + "redis.call('unlink', key)\n" + "return 1"
)

func merge(ctx context.Context, rdb redis.Cmdable, branch string, fn func() error) error {
	key, token := "merge:lock:"+branch, rand.Text()
	if !rdb.SetNX(ctx, key, token, time.Minute).Val() {
		return errBusy
	}
	defer rdb.Eval(ctx, freeText, []string{key}, token) // want `unowned-release: `
	return fn()
}

// Embedded as a string.
//
//go:embed lua/delete.lua
var deleteText string

func lockTenant(ctx context.Context, rdb *redis.Client, tenant string) bool {
	return rdb.SetNX(ctx, "tenant:"+tenant, rand.Text(), time.Minute).Val()
}

func unlockTenant(ctx context.Context, rdb *redis.Client, tenant string) error {
	return redis.NewScript(deleteText).Run(ctx, rdb, []string{"tenant:" + tenant}).Err() // want `unowned-release: `
}

// Embedded as bytes.
//
//go:embed lua/delete.lua
var deleteBytes []byte

func withFloor(ctx context.Context, rdb *redis.Client, floor string, fn func()) error {
	lockKey := "floor:lock:" + floor
	ok, err := rdb.SetNX(ctx, lockKey, rand.Text(), time.Minute).Result()
	if err != nil || !ok {
		return errBusy
	}
	fn()
	return rdb.Eval(ctx, string(deleteBytes), []string{lockKey}).Err() // want `unowned-release: `
}

// A struct field that is set once.
type gateMutex struct {
	rdb  *redis.Client
	free *redis.Script
}

func newGateMutex(rdb *redis.Client) *gateMutex {
	return &gateMutex{rdb: rdb, free: redis.NewScript(`if redis.call("exists", KEYS[1]) == 1 then return redis.call("del", KEYS[1]) end return 0`)}
}

func (m *gateMutex) Lock(ctx context.Context, gate string) bool {
	return m.rdb.SetNX(ctx, "gate:"+gate, rand.Text(), time.Minute).Val()
}

func (m *gateMutex) Unlock(ctx context.Context, gate string) error {
	return m.free.Run(ctx, m.rdb, []string{"gate:" + gate}).Err() // want `unowned-release: `
}
