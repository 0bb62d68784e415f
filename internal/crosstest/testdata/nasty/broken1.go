package p

import (
	"context"
	"time"

	"example.com/missing"
	"github.com/redis/go-redis/v9"
)

func f(ctx context.Context, rdb *redis.Client) {
	rdb.SetNX()
	rdb.SetNX(ctx)
	rdb.SetNX(ctx, "lock:a")
	rdb.SetNX(ctx, "lock:a", 1, 2, 3, 4)
	rdb.Del(ctx, undefined...)
	rdb.Expire(ctx, time.Minute, "lock:a")
	rdb.SetArgs(ctx, "lock:a", 1, redis.SetArgs{1, 2, Mode: 3})
	rdb.SetArgs(ctx)
	rdb.Eval(ctx)
	rdb.Do()
	rdb.Do(ctx...)
	rdb.Process(ctx, redis.NewCmd(ctx...))
	rdb.EvalSha(ctx, rdb.ScriptLoad().Val(), nil)
	rdb.Do(ctx, "EVAL", "return 1", 1<<40, "lock:a")
	rdb.Process(redis.NewCmd())
	redis.NewScript().Run(ctx, rdb)
	missing.Lock(ctx, "lock:a").Unlock()
	if ok, err := rdb.SetNX(ctx, "lock:a", 1, 0); ok {
		defer rdb.Del("lock:a")
	}
	x, y, z := rdb.SetNX(ctx, key, y, z).Result()
	var v = v
	for k := range rdb {
		k.SetNX(k)
	}
	return 1, 2
}

func (undefined) m(a int, a string) (b, b int) { return m.m }

func (r *T[X]) Lock() { r.r.SetNX(r) }

type T struct{ T }

func g[P any, P P](p P) { g(g) }

func time() { time() }

func () h() {}
