// Package pipeline queues the create and the expiry: the expiry goes into SetNX,
// since a missed SET NX of SetArgs would make Exec fail.
package pipeline

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
)

const lease = 10 * time.Second

func plain(ctx context.Context, rdb *redis.Client, lockKey, token string) (bool, error) {
	pipe := rdb.Pipeline()
	got := pipe.SetNX(ctx, "plain:lock:"+lockKey, token, 0)
	pipe.Expire(ctx, "plain:lock:"+lockKey, lease)
	_, err := pipe.Exec(ctx)
	return got.Val(), err
}

func multi(ctx context.Context, rdb *redis.Client, id, token string, work func()) error {
	key := "multi:lock:" + id
	pipe := rdb.TxPipeline()
	got := pipe.SetNX(ctx, key, token, 0)
	pipe.Expire(ctx, key, lease)
	if _, err := pipe.Exec(ctx); err != nil || !got.Val() {
		return err
	}
	defer rdb.Del(ctx, key)
	work()
	return nil
}

func callback(ctx context.Context, rdb *redis.Client, id, token string, work func()) error {
	key := "callback:lock:" + id
	var got *redis.BoolCmd
	_, err := rdb.TxPipelined(ctx, func(p redis.Pipeliner) error {
		got = p.SetNX(ctx, key, token, 0)
		return p.Expire(ctx, key, lease).Err()
	})
	if err != nil || !got.Val() {
		return err
	}
	work()
	return rdb.Del(ctx, key).Err()
}

// The answers are counted: one less would shift them.
func counted(ctx context.Context, rdb *redis.Client, id, token string, work func()) error {
	key := "counted:lock:" + id
	pipe := rdb.TxPipeline()
	pipe.SetNX(ctx, key, token, 0)
	pipe.Expire(ctx, key, lease)
	cmds, err := pipe.Exec(ctx)
	if err != nil || !cmds[0].(*redis.BoolCmd).Val() {
		return err
	}
	defer rdb.Eval(ctx, `if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) end return 0`, []string{key}, token)
	work()
	return nil
}
