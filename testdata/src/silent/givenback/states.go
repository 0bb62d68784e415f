package givenback

import (
	"context"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

const (
	statusRunning = "running"
	statusDone    = "done"
)

// The states of a request that runs once. What is compared is a state, no owner,
// and the key is freed only where the work failed.
type requests struct{ rdb *redis.Client }

func (r *requests) Exec(ctx context.Context, id string, work func(context.Context) error) error {
	key := "request:" + id
	fresh, err := r.rdb.SetNX(ctx, key, statusRunning, time.Minute).Result()
	if err != nil {
		return err
	}
	if !fresh {
		status, err := r.status(ctx, key)
		if err != nil || status == statusDone {
			return err
		}
		return errors.New("still running")
	}
	if err := work(ctx); err != nil {
		return errors.Join(err, r.clear(ctx, key))
	}
	return r.rdb.Set(ctx, key, statusDone, day).Err()
}

func (r *requests) status(ctx context.Context, key string) (string, error) {
	return r.rdb.Get(ctx, key).Result()
}

func (r *requests) clear(ctx context.Context, key string) error { return r.rdb.Del(ctx, key).Err() }
