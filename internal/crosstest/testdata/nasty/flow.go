package p

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
)

var rdb *redis.Client

func recursive(ctx context.Context, n int) bool {
	if n == 0 {
		return rdb.SetNX(ctx, "lock:r", 1, 0).Val()
	}
	defer rdb.Del(ctx, "lock:r")
	return recursive(ctx, n-1)
}

func ping(ctx context.Context, key string) bool {
	if rdb.SetNX(ctx, key, 1, 0).Val() {
		return pong(ctx, "lock:"+key)
	}
	return ping(ctx, key+"x")
}

func pong(ctx context.Context, key string) bool {
	defer rdb.Del(ctx, key)
	return ping(ctx, key)
}

func empty(ctx context.Context) {}

func nothing(context.Context)

func labels(ctx context.Context, key string) {
top:
	for {
	again:
		for i := 0; ; i++ {
			switch ok := rdb.SetNX(ctx, key, i, time.Minute).Val(); {
			case ok && i > 1:
				break top
			case ok:
				continue top
			case i > 3:
				goto out
			default:
				fallthrough
			case false:
				continue again
			}
		}
	}
out:
	rdb.Del(ctx, key)
	if false {
		goto out
	}
}

func selects(ctx context.Context, c chan string, d chan<- bool) {
	for {
		select {
		case key := <-c:
			rdb.Del(ctx, key)
		case d <- rdb.SetNX(ctx, "lock:s", <-c, 0).Val():
			defer func() { rdb.Del(ctx, "lock:s") }()
		case <-ctx.Done():
			return
		default:
		}
	}
	rdb.Expire(ctx, "lock:s", time.Minute)
}

func blocks(ctx context.Context) {
	select {}
}

func switches(ctx context.Context, x any) {
	switch v := x.(type) {
	case nil:
		rdb.SetNX(ctx, "lock:t", v, 0)
	case string, []byte:
		rdb.SetNX(ctx, "lock:t", v, 0)
	case func() string:
		if rdb.SetNX(ctx, v(), v, 0).Val() {
			rdb.Del(ctx, v())
		}
	case interface{ Key() string }:
		defer rdb.Del(ctx, v.Key())
	}
	switch rdb.SetNX(ctx, "lock:u", 1, 0).Val() {
	case true:
		rdb.Del(ctx, "lock:u")
	}
	switch err := rdb.SetNX(ctx, "lock:u", 1, 0).Err(); err {
	case nil, redis.Nil:
	}
}

func panics(ctx context.Context) (err error) {
	if !rdb.SetNX(ctx, "lock:p", 1, 0).Val() {
		panic("held")
	}
	defer func() {
		if r := recover(); r != nil {
			rdb.Del(ctx, "lock:p")
			err, _ = r.(error)
		}
	}()
	defer func() func() { rdb.Expire(ctx, "lock:p", 0); return func() { rdb.Persist(ctx, "lock:p") } }()()
	return
}

func named(ctx context.Context, key string) (ok bool, unlock func(), err error) {
	ok, err = rdb.SetNX(ctx, key, key, 0).Result()
	if ok, err := rdb.SetNX(ctx, key, key, 0).Result(); ok || err != nil {
		return ok, func() { unlock() }, err
	}
	unlock = func() { rdb.Del(ctx, key); unlock = nil }
	return
}

func loops(ctx context.Context, keys []string, m map[string][]string) {
	for range 3 {
		for i := range keys {
			rdb.SetNX(ctx, keys[i], i, 0)
		}
	}
	for _, keys := range m {
		for _, keys := range keys {
			for range keys {
				rdb.Del(ctx, keys)
			}
		}
	}
	for k, v := range func(yield func(string, error) bool) { yield("lock:y", nil) } {
		if v == nil && rdb.SetNX(ctx, k, v, 0).Val() {
			defer rdb.Del(ctx, k)
		}
	}
	for key := ""; rdb.SetNX(ctx, key, 1, 0).Val(); key += "x" {
		rdb.Del(ctx, key)
	}
}
