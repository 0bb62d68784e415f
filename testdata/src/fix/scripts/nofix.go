package scripts

import (
	"context"

	"github.com/redis/go-redis/v9"
)

// It does more than free the lock.
func counts(ctx context.Context, rdb *redis.Client, id, token string) error {
	key := "counts:lock:" + id
	if !rdb.SetNX(ctx, key, token, ttl).Val() {
		return errBusy
	}
	defer rdb.Eval(ctx, `redis.call("incr", KEYS[2]) return redis.call("del", KEYS[1])`, []string{key, "freed"})
	return work(ctx)
}

// What it answers is not what the command answers.
func answers(ctx context.Context, rdb *redis.Client, id, token string) (string, error) {
	key := "answers:lock:" + id
	if !rdb.SetNX(ctx, key, token, ttl).Val() {
		return "", errBusy
	}
	_ = work(ctx)
	return rdb.Eval(ctx, `redis.call("del", KEYS[1]) return "freed"`, []string{key}).Text()
}

// No answer is an error, redis.Nil.
func nothing(ctx context.Context, rdb *redis.Client, id, token string) error {
	key := "nothing:lock:" + id
	if !rdb.SetNX(ctx, key, token, ttl).Val() {
		return errBusy
	}
	_ = work(ctx)
	return rdb.Eval(ctx, `redis.call("del", KEYS[1])`, []string{key}).Err()
}

// An argument that is not read is worked out all the same.
func argument(ctx context.Context, rdb *redis.Client, id, token string, next func() int) error {
	key := "argument:lock:" + id
	if !rdb.SetNX(ctx, key, token, ttl).Val() {
		return errBusy
	}
	defer rdb.Eval(ctx, `return redis.call("del", KEYS[1])`, []string{key}, next())
	return work(ctx)
}

// The key is the second of two.
func second(ctx context.Context, rdb *redis.Client, id, token string) error {
	key := "second:lock:" + id
	if !rdb.SetNX(ctx, key, token, ttl).Val() {
		return errBusy
	}
	defer rdb.Eval(ctx, `return redis.call("del", KEYS[2])`, []string{"seat", key})
	return work(ctx)
}
