package p

import (
	"context"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
	"golang.org/x/sync/errgroup"
)

type job struct {
	run, stop func(context.Context) error
	keys      map[string]func() string
	once      sync.Once
}

func build(rdb redis.UniversalClient, key string) []*job {
	var self *job
	var loop func(int) func(int) bool
	loop = func(n int) func(int) bool {
		if n == 0 {
			return func(m int) bool { return rdb.SetNX(context.TODO(), key, m, 0).Val() }
		}
		return loop(n - 1)
	}
	return []*job{{
		run: func(ctx context.Context) error {
			if !loop(3)(4) {
				return self.stop(ctx)
			}
			g, ctx := errgroup.WithContext(ctx)
			g.Go(func() (err error) {
				defer func() { err = rdb.Del(ctx, key).Err() }()
				return nil
			})
			return g.Wait()
		},
		stop: func(ctx context.Context) error { return rdb.Del(ctx, key).Err() },
		keys: map[string]func() string{key: func() string { return key }},
	}, self}
}

func (j *job) callbacks(ctx context.Context, rdb *redis.Client) (unlock func(...func()) error) {
	j.once.Do(func() {
		rdb.Watch(ctx, func(tx *redis.Tx) error {
			_, err := tx.TxPipelined(ctx, func(p redis.Pipeliner) error {
				_, err := p.Pipelined(ctx, func(q redis.Pipeliner) error {
					q.SetNX(ctx, "lock:a", 1, 0)
					return p.Del(ctx, "lock:a").Err()
				})
				return err
			})
			return err
		}, "lock:a")
	})
	pipe := rdb.Pipeline()
	for range 2 {
		pipe = pipe.Pipeline()
		pipe.SetNX(ctx, "lock:b", 1, 0)
		pipe, _ := pipe, func() redis.Pipeliner { return pipe }
		pipe.Expire(ctx, "lock:b", time.Minute)
	}
	time.AfterFunc(time.Second, func() { rdb.Del(ctx, "lock:b") })
	go func(key string, del func(context.Context, ...string) *redis.IntCmd) { del(ctx, key) }("lock:b", rdb.Del)
	defer func(keys ...string) { rdb.Del(ctx, keys...) }("lock:b", "lock:a")
	del := func() {}
	del = func() { del(); rdb.Del(ctx, "lock:b") }
	return func(fs ...func()) error {
		for _, f := range append(fs, del) {
			defer f()
		}
		return rdb.Eval(ctx, `return redis.call(`, nil).Err()
	}
}
