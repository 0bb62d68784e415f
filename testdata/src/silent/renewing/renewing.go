// Package renewing extends its locks with an owner check, or extends no lock.
package renewing

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
	"golang.org/x/sync/errgroup"
)

const ttl = 30 * time.Second

var (
	errBusy = errors.New("busy")
	errLost = errors.New("lost")
	unlock  = redis.NewScript(`if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) end return 0`)
	extend  = redis.NewScript(`if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("pexpire", KEYS[1], ARGV[2]) end return 0`)
)

func watch(ctx context.Context, lost context.CancelCauseFunc, rdb *redis.Client, key, token string) {
	tick := time.NewTicker(ttl / 3)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			// E4: the section hears of it.
			if n, err := extend.Run(ctx, rdb, []string{key}, token, ttl.Milliseconds()).Int(); err != nil || n == 0 {
				lost(errLost)
				return
			}
		}
	}
}

// E5: started when the lock is won, stopped before the release (LIFO).
func render(ctx context.Context, rdb *redis.Client, film string, fn func(context.Context) error) error {
	key, token := "film:"+film, rand.Text()
	if ok, err := rdb.SetNX(ctx, key, token, ttl).Result(); err != nil || !ok {
		return errBusy
	}
	defer unlock.Run(context.WithoutCancel(ctx), rdb, []string{key}, token)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go watch(ctx, cancel, rdb, key, token)
	return fn(ctx)
}

// E5: beside the work in an errgroup.
func grade(ctx context.Context, rdb *redis.Client, reel string, fn func(context.Context) error) error {
	key, token := "reel:"+reel, rand.Text()
	if !rdb.SetNX(ctx, key, token, ttl).Val() {
		return errBusy
	}
	defer unlock.Run(context.WithoutCancel(ctx), rdb, []string{key}, token)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { watch(ctx, cancel, rdb, key, token); return nil })
	g.Go(func() error { defer cancel(nil); return fn(ctx) })
	return g.Wait()
}

// E1: a sliding debounce window; anybody may extend it.
func debounce(ctx context.Context, rdb *redis.Client, project string) error {
	key := "rebuild:pending:" + project
	ok, err := rdb.SetNX(ctx, key, 1, time.Minute).Result()
	if err != nil || ok {
		return err
	}
	return rdb.Expire(ctx, key, time.Minute).Err()
}

// The winner gives its marker a longer life; it had one from the start.
func submit(ctx context.Context, rdb *redis.Client, festival, film string) error {
	key := "submission:" + festival + ":" + film
	won, err := rdb.SetNX(ctx, key, "draft", time.Minute).Result()
	if err != nil {
		return err
	}
	if won {
		return rdb.Expire(ctx, key, 90*24*time.Hour).Err()
	}
	return nil
}

// E2: SetXX on a state, kept up by whoever plays.
func nowPlaying(ctx context.Context, rdb *redis.Client, screen, film string) (bool, error) {
	return rdb.SetXX(ctx, "screen:"+screen, film, 3*time.Hour).Result()
}
