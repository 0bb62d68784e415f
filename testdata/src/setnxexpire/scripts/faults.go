// Package scripts acquires in Lua and expires outside the if: every loser pushes
// the holder's expiry out [A19].
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
var acquire = redis.NewScript(`
local won = redis.call("setnx", KEYS[1], ARGV[1])
redis.call("pexpire", KEYS[1], ARGV[2])
return won`)

func dig(ctx context.Context, rdb *redis.Client, pit string, fn func() error) error {
	n, err := acquire.Run(ctx, rdb, []string{"lock:pit:" + pit}, rand.Text(), 30000).Int() // want `setnx-expire: `
	if err != nil || n == 0 {
		return errBusy
	}
	return fn()
}

// A constant sent by Eval, in a method.
const takeText = `local won = redis.call('SET', KEYS[1], ARGV[1], 'NX')
redis.call('EXPIRE', KEYS[1], 30)
if won then
	return 1
end
return 0`

type drillLock struct {
	rdb redis.UniversalClient
	key string
}

func (l *drillLock) Lock(ctx context.Context, token string) (bool, error) {
	return l.rdb.Eval(ctx, takeText, []string{l.key}, token).Bool() // want `setnx-expire: `
}

// Embedded.
//
//go:embed lua/acquire.lua
var acquireText string

var embedded = redis.NewScript(acquireText)

func blast(ctx context.Context, rdb *redis.Client, wall string, fn func()) bool {
	lockKey := "blast:lock:" + wall
	won, err := embedded.Run(ctx, rdb, []string{lockKey}, rand.Text(), (time.Minute).Milliseconds()).Bool() // want `setnx-expire: `
	if err != nil || !won {
		return false
	}
	fn()
	return true
}
