package scripts

import (
	"context"
	"crypto/rand"
	_ "embed"

	"github.com/redis/go-redis/v9"
)

// One script is atomic, and only the winner expires.
var acquireGuarded = redis.NewScript(`
local won = redis.call("setnx", KEYS[1], ARGV[1])
if won == 1 then redis.call("pexpire", KEYS[1], ARGV[2]) end
return won`)

func lift(ctx context.Context, rdb *redis.Client, cage string, fn func() error) error {
	n, err := acquireGuarded.Run(ctx, rdb, []string{"lock:cage:" + cage}, rand.Text(), 30000).Int()
	if err != nil || n == 0 {
		return errBusy
	}
	return fn()
}

// The early return guards as well.
//
//go:embed lua/acquire_ok.lua
var acquireOK string

func haul(ctx context.Context, rdb *redis.Client, cart string, fn func() error) error {
	n, err := rdb.Eval(ctx, acquireOK, []string{"lock:cart:" + cart}, rand.Text(), 30000).Int()
	if err != nil || n == 0 {
		return errBusy
	}
	return fn()
}

// SET NX PX in one command.
var setNX = redis.NewScript(`return redis.call("set", KEYS[1], ARGV[1], "NX", "PX", ARGV[2])`)

func pump(ctx context.Context, rdb *redis.Client, shaft string, fn func() error) error {
	if setNX.Run(ctx, rdb, []string{"lock:shaft:" + shaft}, rand.Text(), 30000).Err() != nil {
		return errBusy
	}
	return fn()
}

// A window that counts: SETNX seeds it, INCR counts, and all push it out.
var window = redis.NewScript(`
redis.call('setnx', KEYS[1], 0)
redis.call('expire', KEYS[1], ARGV[1])
return redis.call('incr', KEYS[1])`)

func allowed(ctx context.Context, rdb *redis.Client, miner string) (bool, error) {
	n, err := window.Run(ctx, rdb, []string{"window:" + miner}, 60).Int()
	return n <= 10, err
}

// A re-entrant lock pushes the expiry out for its owner only.
var reentrant = redis.NewScript(`
if redis.call('setnx', KEYS[1], ARGV[1]) == 1 or redis.call('get', KEYS[1]) == ARGV[1] then
	redis.call('pexpire', KEYS[1], ARGV[2])
	return 1
end
return 0`)

func survey(ctx context.Context, rdb *redis.Client, gallery, surveyor string, fn func() error) error {
	n, err := reentrant.Run(ctx, rdb, []string{"lock:gallery:" + gallery}, surveyor, 30000).Int()
	if err != nil || n == 0 {
		return errBusy
	}
	return fn()
}

// Which command sets the expiry is up to the caller.
var chosen = redis.NewScript(`
if redis.call('setnx', KEYS[1], ARGV[1]) == 1 then
	redis.call(ARGV[2], KEYS[1], ARGV[3])
	return 1
end
return 0`)

func catalogue(ctx context.Context, rdb *redis.Client, room, clerk string, fn func() error) error {
	n, err := chosen.Run(ctx, rdb, []string{"lock:room:" + room}, clerk, "pexpire", 30000).Int()
	if err != nil || n == 0 {
		return errBusy
	}
	defer freed.Run(ctx, rdb, []string{"lock:room:" + room}, clerk)
	return fn()
}

var freed = redis.NewScript(`if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0`)
