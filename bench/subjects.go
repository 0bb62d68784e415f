package main

import (
	"context"
	"crypto/rand"
	"time"

	"github.com/bsm/redislock"
	"github.com/go-redsync/redsync/v4"
	"github.com/go-redsync/redsync/v4/redis/goredis/v9"
	"github.com/locklint/locklint/internal/redistest"
	lockrt "github.com/locklint/locklint/runtime"
	"github.com/redis/go-redis/v9"
	"github.com/redis/rueidis"
	"github.com/redis/rueidis/rueidislock"
)

const ttl = 30 * time.Second

// A subject is a lock library. open connects to the server; lock waits for a key and
// returns its release.
type subject struct {
	name string
	open func(s *redistest.Server) lock
	ctx  context.Context // of the pair table; nil is one that cannot end
}

type lock struct {
	lock  func(ctx context.Context, key string) (unlock func() error, err error)
	close func()
}

func newClient(s *redistest.Server) *redis.Client {
	o := s.Options()
	o.PoolSize = 64 // as many as goroutines: no subject waits for a connection
	return redis.NewClient(o)
}

var bare = subject{name: "raw SetNX + EVALSHA", open: func(s *redistest.Server) lock {
	c := newClient(s)
	del := redis.NewScript(`if redis.call('get',KEYS[1])==ARGV[1] then return redis.call('del',KEYS[1]) end return 0`)
	return lock{func(ctx context.Context, key string) (func() error, error) {
		token := rand.Text()
		for {
			ok, err := c.SetNX(ctx, key, token, ttl).Result()
			if err != nil {
				return nil, err
			}
			if ok {
				return func() error { return del.Run(ctx, c, []string{key}, token).Err() }, nil
			}
			time.Sleep(10 * time.Millisecond) // the wait that bsm has below
		}
	}, func() { c.Close() }}
}}

// ours is lockrt with the client that wrap makes.
func ours(name string, ctx context.Context, wrap func(*redis.Client) lockrt.Client) subject {
	return subject{name, func(s *redistest.Server) lock {
		c := newClient(s)
		l, err := lockrt.New(wrap(c))
		if err != nil {
			env.Fatal(err)
		}
		return lock{func(ctx context.Context, key string) (func() error, error) {
			k, err := l.Acquire(ctx, key, ttl)
			if err != nil {
				return nil, err
			}
			return func() error { return k.Release(ctx) }, nil
		}, func() { c.Close() }}
	}, ctx}
}

var (
	plainClient  = func(c *redis.Client) lockrt.Client { return c }
	autoPipeline = func(c *redis.Client) lockrt.Client {
		ap, err := c.AutoPipeline()
		if err != nil {
			env.Fatal(err)
		}
		return ap
	}
	cancellable, _ = context.WithCancel(context.Background())

	lockrtPlain       = ours("lockrt", nil, plainClient)
	lockrtCancellable = ours("lockrt, cancellable ctx", cancellable, plainClient)
	lockrtPipeline    = ours("lockrt, AutoPipeline", nil, autoPipeline)
	lockrtPipelineCtx = ours("lockrt, AutoPipeline, cancellable", cancellable, autoPipeline)
)

var bsm = subject{name: "bsm/redislock", open: func(s *redistest.Server) lock {
	c := newClient(s)
	l := redislock.New(c)
	o := &redislock.Options{RetryStrategy: redislock.LinearBackoff(10 * time.Millisecond)}
	return lock{func(ctx context.Context, key string) (func() error, error) {
		k, err := l.Obtain(ctx, key, ttl, o)
		if err != nil {
			return nil, err
		}
		return func() error { return k.Release(ctx) }, nil
	}, func() { c.Close() }}
}}

var redsyncLock = subject{name: "redsync", open: func(s *redistest.Server) lock {
	c := newClient(s)
	rs := redsync.New(goredis.NewPool(c))
	return lock{func(ctx context.Context, key string) (func() error, error) {
		m := rs.NewMutex(key, redsync.WithExpiry(ttl), redsync.WithTries(1_000_000))
		if err := m.LockContext(ctx); err != nil {
			return nil, err
		}
		return func() error { _, err := m.UnlockContext(ctx); return err }, nil
	}, func() { c.Close() }}
}}

var rueidisOption = func(addr string) rueidislock.LockerOption {
	return rueidislock.LockerOption{
		ClientOption: rueidis.ClientOption{InitAddress: []string{addr}},
		KeyValidity:  ttl, KeyMajority: 1,
	}
}

var rue = subject{name: "rueidislock", open: func(s *redistest.Server) lock {
	l, err := rueidislock.NewLocker(rueidisOption(s.Addr))
	if err != nil {
		env.Fatal(err)
	}
	return lock{func(ctx context.Context, key string) (func() error, error) {
		_, cancel, err := l.WithContext(ctx, key)
		if err != nil {
			return nil, err
		}
		return func() error { cancel(); return nil }, nil
	}, l.Close}
}}
