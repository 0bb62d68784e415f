package main

import (
	"context"

	"github.com/redis/go-redis/v9"

	"github.com/locklint/locklint/internal/proof/harness"
)

// Scripts that delete or expire without a look at the owner.

var freeScript = redis.NewScript(`return redis.call("del", KEYS[1])`)

func scriptRun(ctx context.Context, rdb *redis.Client, id, token string) (int64, error) {
	key := "scriptRun:lock:" + id
	if !rdb.SetNX(ctx, key, token, lease).Val() {
		return 0, errBusy
	}
	_ = work(ctx)
	return freeScript.Run(ctx, rdb, []string{key}, token).Int64()
}

func scriptEval(ctx context.Context, rdb *redis.Client, id, token string) (any, error) {
	key := "scriptEval:lock:" + id
	if !rdb.SetNX(ctx, key, token, lease).Val() {
		return nil, errBusy
	}
	_ = work(ctx)
	return rdb.Eval(ctx, `local key = KEYS[1] return redis.call("unlink", key)`, []string{key}).Result()
}

func scriptDeferred(ctx context.Context, rdb *redis.Client, id string) error {
	key := "scriptDeferred:lock:" + id
	if !rdb.SetNX(ctx, key, "1", lease).Val() {
		return errBusy
	}
	defer rdb.Eval(ctx, `redis.call("del", KEYS[1])`, []string{key})
	return work(ctx)
}

func scriptHash(ctx context.Context, rdb *redis.Client, id, token string) error {
	freeScript.Load(ctx, rdb)
	key := "scriptHash:lock:" + id
	if !rdb.SetNX(ctx, key, token, lease).Val() {
		return errBusy
	}
	_ = work(ctx)
	return rdb.EvalSha(ctx, freeScript.Hash(), []string{key}).Err()
}

func scriptRenew(ctx context.Context, rdb *redis.Client, id, token string) (bool, error) {
	key := "scriptRenew:lock:" + id
	if !rdb.SetNX(ctx, key, token, lease).Val() {
		return false, errBusy
	}
	defer rdb.Eval(ctx, compareAndDelete, []string{key}, token)
	for range 2 {
		ok, err := rdb.Eval(ctx, `return redis.call("pexpire", KEYS[1], ARGV[1])`, []string{key}, longer.Milliseconds()).Bool()
		if err != nil || !ok {
			return ok, err
		}
	}
	return true, work(ctx)
}

var scriptForms = map[string]harness.Form{
	"scriptRun": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(scriptRun(ctx, s.Client(), s.ID, s.Token))
	},
	"scriptEval": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(scriptEval(ctx, s.Client(), s.ID, s.Token))
	},
	"scriptDeferred": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(scriptDeferred(ctx, s.Client(), s.ID))
	},
	"scriptHash": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(scriptHash(ctx, s.Client(), s.ID, s.Token))
	},
	"scriptRenew": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(scriptRenew(ctx, s.Client(), s.ID, s.Token))
	},
}
