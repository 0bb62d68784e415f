package main

import (
	"context"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/locklint/locklint/internal/proof/harness"
)

// The token has to travel to another function.

func lockJob(ctx context.Context, rdb *redis.Client, job string) (bool, error) {
	return rdb.SetNX(ctx, "travelled:lock:"+job, "1", lease).Result()
}

func unlockJob(ctx context.Context, rdb *redis.Client, job string) error {
	return rdb.Del(ctx, "travelled:lock:"+job).Err()
}

func travelled(ctx context.Context, rdb *redis.Client, id string) (bool, error) {
	ok, err := lockJob(ctx, rdb, id)
	if err != nil || !ok {
		return ok, err
	}
	err = work(ctx)
	if e := unlockJob(ctx, rdb, id); e != nil {
		return true, e
	}
	return true, err
}

func drop(ctx context.Context, rdb redis.UniversalClient, key string) { rdb.Del(ctx, key) }

func dropped(ctx context.Context, rdb *redis.Client, id, token string) error {
	key := "dropped:lock:" + id
	if !rdb.SetNX(ctx, key, token, lease).Val() {
		return errBusy
	}
	defer drop(context.WithoutCancel(ctx), rdb, key)
	return work(ctx)
}

// Delete deletes whatever it is given.
func (c *cache) Delete(ctx context.Context, key string) error { return c.rdb.Del(ctx, key).Err() }

func byMethods(ctx context.Context, s *harness.Scene) string {
	c := &cache{s.Client()}
	key := "byMethods:lock:" + s.ID
	ok, err := c.SetIfAbsent(ctx, key, "1", lease)
	if err != nil || !ok {
		return harness.Show(ok, err)
	}
	for range 2 {
		if err := c.Touch(ctx, key, longer); err != nil {
			return harness.Show(err)
		}
	}
	return harness.Show(c.Delete(ctx, key))
}

// The caller has the token, the helper frees with a context of its own.
func handed(ctx context.Context, rdb *redis.Client, id, token string) error {
	key := "handed:lock:" + id
	if !rdb.SetNX(ctx, key, token, lease).Val() {
		return errBusy
	}
	defer giveBack(rdb, key)
	return work(ctx)
}

func giveBack(rdb *redis.Client, key string) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	rdb.Del(ctx, key)
}

// A goroutine frees it, two calls deep.
func consumed(ctx context.Context, rdb *redis.Client, id string) error {
	ok, err := rdb.SetNX(ctx, "consumed:lock:"+id, "1", lease).Result()
	if err != nil {
		return err
	}
	if !ok {
		return errBusy
	}
	done := make(chan error)
	go consume(ctx, rdb, id, done)
	return <-done
}

func consume(ctx context.Context, rdb *redis.Client, id string, done chan<- error) {
	err := work(ctx)
	done <- errors.Join(err, forget(ctx, rdb, id))
}

func forget(ctx context.Context, rdb *redis.Client, id string) error {
	n, err := rdb.Del(ctx, "consumed:lock:"+id).Result()
	if n == 0 && err == nil {
		return nil // it ran out
	}
	return err
}

var travelForms = map[string]harness.Form{
	"handed": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(handed(ctx, s.Client(), s.ID, s.Token))
	},
	"consumed": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(consumed(ctx, s.Client(), s.ID))
	},
	"travelled": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(travelled(ctx, s.Client(), s.ID))
	},
	"dropped": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(dropped(ctx, s.Client(), s.ID, s.Token))
	},
	"byMethods": byMethods,
}
