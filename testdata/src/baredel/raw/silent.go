package raw

import (
	"context"
	"crypto/rand"

	"github.com/redis/go-redis/v9"
)

// The compare is in the raw EVAL.
func sign(ctx context.Context, rdb *redis.Client, doc string, fn func() error) error {
	const cad = `if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) end return 0`
	key, token := "sign:"+doc, rand.Text()
	if rdb.Do(ctx, "SET", key, token, "NX", "PX", 30000).Err() != nil {
		return errBusy
	}
	defer rdb.Eval(context.WithoutCancel(ctx), cad, []string{key}, token)
	return fn()
}

// The verb is a variable: nobody knows what is sent.
func send(ctx context.Context, rdb *redis.Client, verb, key string) error {
	if rdb.Do(ctx, "SET", key, rand.Text(), "NX", "PX", 30000).Err() != nil {
		return errBusy
	}
	return rdb.Do(ctx, verb, key).Err()
}

// A plain SET without NX lets everybody in, so it is no acquisition [B11], and
// what is deleted is a status.
func status(ctx context.Context, rdb *redis.Client, job string, fn func() error) error {
	key := "status:" + job
	if err := rdb.Do(ctx, "SET", key, "running", "EX", 60).Err(); err != nil {
		return err
	}
	defer rdb.Do(ctx, "DEL", key)
	return fn()
}
