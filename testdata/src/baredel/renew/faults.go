// Package renew extends a lock without asking whose it is [E1].
package renew

import (
	"context"
	"crypto/rand"
	"errors"
	"log"
	"time"

	"github.com/redis/go-redis/v9"
	"golang.org/x/sync/errgroup"
)

var (
	errBusy          = errors.New("busy")
	compareAndDelete = redis.NewScript(`if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) end return 0`)
)

// A ticker in a goroutine of the acquiring function. The release compares, so it
// is a lock; the renewal does not.
func transcode(ctx context.Context, rdb *redis.Client, video string, fn func(context.Context) error) error {
	key, token := "transcode:"+video, rand.Text()
	ok, err := rdb.SetNX(ctx, key, token, 30*time.Second).Result()
	if err != nil || !ok {
		return errBusy
	}
	defer compareAndDelete.Run(context.WithoutCancel(ctx), rdb, []string{key}, token)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		tick := time.NewTicker(10 * time.Second)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				if err := rdb.Expire(ctx, key, 30*time.Second).Err(); err != nil { // want `unowned-renew: `
					log.Printf("transcode: %v", err)
				}
			}
		}
	}()
	return fn(ctx)
}

// A keep-alive method of a lease type.
type lease struct {
	rdb        *redis.Client
	key, token string
	stop       chan struct{}
}

func (l *lease) Acquire(ctx context.Context) (bool, error) {
	return l.rdb.SetNX(ctx, l.key, l.token, 15*time.Second).Result()
}

func (l *lease) keepAlive(ctx context.Context) {
	for {
		select {
		case <-l.stop:
			return
		case <-time.After(5 * time.Second):
			l.rdb.PExpire(ctx, l.key, 15*time.Second) // want `unowned-renew: `
		}
	}
}

func (l *lease) Release(ctx context.Context) error {
	close(l.stop)
	return compareAndDelete.Run(ctx, l.rdb, []string{l.key}, l.token).Err()
}

// A heartbeat beside the work in an errgroup; the key is lock-named and left to
// its TTL in the end.
func elect(ctx context.Context, rdb redis.UniversalClient, node string, lead func(context.Context) error) error {
	const leaderKey = "scheduler:leader"
	if won, err := rdb.SetNX(ctx, leaderKey, node, 10*time.Second).Result(); err != nil || !won {
		return err
	}
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return lead(ctx) })
	g.Go(func() error {
		for ctx.Err() == nil {
			time.Sleep(3 * time.Second)
			rdb.Expire(ctx, leaderKey, 10*time.Second) // want `unowned-renew: `
		}
		return ctx.Err()
	})
	return g.Wait()
}

// Through a helper that knows nothing of locks.
func touch(ctx context.Context, rdb *redis.Client, key string, ttl time.Duration) {
	if err := rdb.Expire(ctx, key, ttl).Err(); err != nil {
		log.Printf("touch %s: %v", key, err)
	}
}

func crawl(ctx context.Context, rdb *redis.Client, site string, pages []string, fetch func(string)) error {
	key, token := "crawl:lock:"+site, rand.Text()
	if !rdb.SetNX(ctx, key, token, time.Minute).Val() {
		return errBusy
	}
	defer compareAndDelete.Run(context.WithoutCancel(ctx), rdb, []string{key}, token)
	for _, page := range pages {
		fetch(page)
		touch(ctx, rdb, key, time.Minute) // want `unowned-renew: `
	}
	return nil
}
