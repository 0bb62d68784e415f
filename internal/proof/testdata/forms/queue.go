package main

import (
	"context"

	"github.com/redis/go-redis/v9"

	"github.com/locklint/locklint/internal/proof/harness"
)

// Pipelines and transactions: the expiry goes into SetNX, for a missed SET NX of
// SetArgs would make Exec fail.

const compareAndDelete = `if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) end return 0`

func pipeline(ctx context.Context, rdb *redis.Client, id, token string) (bool, error) {
	key := "pipeline:lock:" + id
	pipe := rdb.Pipeline()
	got := pipe.SetNX(ctx, key, token, 0)
	pipe.Expire(ctx, key, lease)
	_, err := pipe.Exec(ctx)
	if err != nil || !got.Val() {
		return got.Val(), err
	}
	defer rdb.Eval(ctx, compareAndDelete, []string{key}, token)
	return true, work(ctx)
}

func pipelined(ctx context.Context, rdb *redis.Client, id, token string) (bool, error) {
	key := "pipelined:lock:" + id
	var got *redis.BoolCmd
	_, err := rdb.Pipelined(ctx, func(p redis.Pipeliner) error {
		got = p.SetNX(ctx, key, token, 0)
		p.Expire(ctx, key, lease)
		return nil
	})
	if err != nil || !got.Val() {
		return got.Val(), err
	}
	defer rdb.Eval(ctx, compareAndDelete, []string{key}, token)
	return true, work(ctx)
}

func multi(ctx context.Context, rdb *redis.Client, id, token string) (bool, error) {
	key := "multi:lock:" + id
	pipe := rdb.TxPipeline()
	got := pipe.SetNX(ctx, key, token, 0)
	pipe.Expire(ctx, key, lease)
	if _, err := pipe.Exec(ctx); err != nil || !got.Val() {
		return got.Val(), err
	}
	defer rdb.Eval(ctx, compareAndDelete, []string{key}, token)
	return true, work(ctx)
}

func multiCallback(ctx context.Context, rdb *redis.Client, id, token string) (bool, error) {
	key := "multiCallback:lock:" + id
	var got *redis.BoolCmd
	_, err := rdb.TxPipelined(ctx, func(p redis.Pipeliner) error {
		got = p.SetNX(ctx, key, token, 0)
		p.Expire(ctx, key, lease)
		return nil
	})
	if err != nil || !got.Val() {
		return got.Val(), err
	}
	defer rdb.Eval(ctx, compareAndDelete, []string{key}, token)
	return true, work(ctx)
}

var queueForms = map[string]harness.Form{
	"pipeline": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(pipeline(ctx, s.Client(), s.ID, s.Token))
	},
	"pipelined": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(pipelined(ctx, s.Client(), s.ID, s.Token))
	},
	"multi": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(multi(ctx, s.Client(), s.ID, s.Token))
	},
	"multiCallback": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(multiCallback(ctx, s.Client(), s.ID, s.Token))
	},
}
