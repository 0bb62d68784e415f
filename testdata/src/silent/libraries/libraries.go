// Package libraries uses lock libraries, which compare when they free.
package libraries

import (
	"context"
	"errors"
	"time"

	"github.com/bsm/redislock"
	"github.com/go-redsync/redsync/v4"
	"github.com/redis/go-redis/v9"
)

func obtain(ctx context.Context, rdb *redis.Client, job string, fn func() error) error {
	lock, err := redislock.Obtain(ctx, rdb, "lock:"+job, time.Minute, nil)
	if errors.Is(err, redislock.ErrNotObtained) {
		return nil
	}
	if err != nil {
		return err
	}
	defer lock.Release(context.WithoutCancel(ctx))
	if err := lock.Refresh(ctx, time.Minute, nil); err != nil {
		return err
	}
	return fn()
}

type worker struct {
	locker *redislock.Client
	held   *redislock.Lock
}

func (w *worker) Acquire(ctx context.Context, job string) (err error) {
	w.held, err = w.locker.Obtain(ctx, "worker:"+job, time.Minute, &redislock.Options{
		RetryStrategy: redislock.LimitRetry(redislock.LinearBackoff(100*time.Millisecond), 3),
	})
	return err
}

func (w *worker) Release(ctx context.Context) error { return w.held.Release(ctx) }

func mutex(ctx context.Context, rs *redsync.Redsync, job string, fn func()) error {
	m := rs.NewMutex("lock:"+job, redsync.WithExpiry(time.Minute))
	if err := m.LockContext(ctx); err != nil {
		return err
	}
	defer m.Unlock()
	fn()
	_, err := m.ExtendContext(ctx)
	return err
}
