package callbacks

import (
	"context"

	"github.com/redis/go-redis/v9"
)

var handlers []func() error

// It keeps what it is given: each call acquires for somebody else.
func handle(f func() error) error {
	handlers = append(handlers, f)
	return nil
}

func stored(ctx context.Context, rdb *redis.Client, id string) error {
	key := "stored:lock:" + id
	err := handle(func() error {
		if !rdb.SetNX(ctx, key, "1", ttl).Val() {
			return errBusy
		}
		return nil
	})
	defer rdb.Del(ctx, key)
	return errors2(err, work(ctx))
}

func errors2(a, b error) error {
	if a != nil {
		return a
	}
	return b
}

// It runs it beside, for each of many.
func beside(f func() error) error {
	for range 10 {
		go f()
	}
	return nil
}

func spread(ctx context.Context, rdb *redis.Client, id string) error {
	key := "spread:lock:" + id
	err := beside(func() error {
		if !rdb.SetNX(ctx, key, "1", ttl).Val() {
			return errBusy
		}
		return nil
	})
	if err != nil {
		return err
	}
	defer rdb.Del(ctx, key)
	return work(ctx)
}

// It hands it on to something that keeps it.
func handOn(f func() error) error { return handle(f) }

func handed(ctx context.Context, rdb *redis.Client, id string) error {
	key := "handed:lock:" + id
	err := handOn(func() error {
		if !rdb.SetNX(ctx, key, "1", ttl).Val() {
			return errBusy
		}
		return nil
	})
	if err != nil {
		return err
	}
	defer rdb.Del(ctx, key)
	return work(ctx)
}
