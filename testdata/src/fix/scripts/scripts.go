// Package scripts frees and renews by scripts that do not compare.
package scripts

import (
	"context"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

const ttl = 30 * time.Second

var errBusy = errors.New("busy")

func work(ctx context.Context) error { return ctx.Err() }

// Nothing else runs it.
var free = redis.NewScript(`return redis.call("del", KEYS[1])`)

func deferred(ctx context.Context, rdb *redis.Client, id, token string) error {
	key := "deferred:lock:" + id
	if !rdb.SetNX(ctx, key, token, ttl).Val() {
		return errBusy
	}
	defer free.Run(ctx, rdb, []string{key})
	return work(ctx)
}

// Two locks share it: it stays.
var drop = redis.NewScript(`
	local key = KEYS[1]
	return redis.call('UNLINK', key)
`)

func ran(ctx context.Context, rdb redis.UniversalClient, id string) (bool, error) {
	key := "ran:lock:" + id
	if !rdb.SetNX(ctx, key, "1", ttl).Val() {
		return false, errBusy
	}
	_ = work(ctx)
	n, err := drop.Run(ctx, rdb, []string{key}, "1").Int()
	return n == 1, err
}

func byHash(ctx context.Context, rdb *redis.Client, id, token string) error {
	key := "hash:lock:" + id
	if !rdb.SetNX(ctx, key, token, ttl).Val() {
		return errBusy
	}
	_ = work(ctx)
	return rdb.EvalSha(ctx, drop.Hash(), []string{key}).Err()
}

const dropText = "redis.call('del', KEYS[1]) return 1"

func text(ctx context.Context, rdb *redis.Client, id, token string) error {
	key := "text:lock:" + id
	if !rdb.SetNX(ctx, key, token, ttl).Val() {
		return errBusy
	}
	_ = work(ctx)
	return rdb.Eval(ctx, dropText, []string{key}).Err()
}

// A local script, run on a client that is an expression of its own.
type pool struct{ rdb *redis.Client }

func (p *pool) conn() *redis.Client { return p.rdb }

func local(ctx context.Context, p *pool, id, token string) error {
	key := "local:lock:" + id
	if !p.conn().SetNX(ctx, key, token, ttl).Val() {
		return errBusy
	}
	script := redis.NewScript(`return redis.call("del", KEYS[1])`)
	defer script.Eval(ctx, p.conn(), []string{key})
	return work(ctx)
}

// Renewals.
var extend = redis.NewScript(`return redis.call("pexpire", KEYS[1], ARGV[1])`)

func renewed(ctx context.Context, rdb *redis.Client, id, token string, ttl time.Duration) (bool, error) {
	key := "renewed:lock:" + id
	if !rdb.SetNX(ctx, key, token, ttl).Val() {
		return false, errBusy
	}
	defer rdb.Eval(ctx, `return redis.call("unlink", KEYS[1])`, []string{key})
	for range 2 {
		if ok, err := extend.Run(ctx, rdb, []string{key}, ttl.Milliseconds()).Bool(); err != nil || !ok {
			return ok, err
		}
	}
	return true, work(ctx)
}

func renewedBy(ctx context.Context, rdb *redis.Client, id, token string) error {
	key := "renewedBy:lock:" + id
	if !rdb.SetNX(ctx, key, token, ttl).Val() {
		return errBusy
	}
	defer free2.Run(ctx, rdb, []string{key})
	for range 2 {
		if err := rdb.Eval(ctx, `return redis.call("expire", KEYS[1], 30)`, []string{key}).Err(); err != nil {
			return err
		}
	}
	return work(ctx)
}

var (
	free2 = redis.NewScript(`return redis.call("del", KEYS[1])`)
)
