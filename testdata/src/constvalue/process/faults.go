// Package process uses one token for all the acquisitions of a process: run 1
// overstays, run 2 of the same process takes over, and run 1 frees run 2's lock [C6].
package process

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

var (
	errBusy          = errors.New("busy")
	compareAndDelete = redis.NewScript(`if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) end return 0`)
)

// Made when the package is initialised.
var processID = rand.Text()

func ingest(ctx context.Context, rdb *redis.Client, feed string, fn func() error) error {
	key := "ingest:" + feed
	ok, err := rdb.SetNX(ctx, key, processID, time.Minute).Result() // want `weak-token: `
	if err != nil || !ok {
		return errBusy
	}
	defer compareAndDelete.Run(context.WithoutCancel(ctx), rdb, []string{key}, processID)
	return fn()
}

// Made in init.
var instance string

func init() { instance = "ingester-" + rand.Text() }

type feedLock struct{ rdb redis.UniversalClient }

func (l *feedLock) Acquire(ctx context.Context, feed string) (bool, error) {
	return l.rdb.SetNX(ctx, "feed:"+feed, instance, time.Minute).Result() // want `weak-token: `
}

func (l *feedLock) Release(ctx context.Context, feed string) error {
	return compareAndDelete.Run(ctx, l.rdb, []string{"feed:" + feed}, instance).Err()
}

// In a goroutine a feed.
func ingestAll(ctx context.Context, rdb *redis.Client, feeds []string, fn func(string)) {
	for _, feed := range feeds {
		go func() {
			key := "ingest-all:" + feed
			if !rdb.SetNX(ctx, key, processID, time.Minute).Val() { // want `weak-token: `
				return
			}
			defer compareAndDelete.Run(context.WithoutCancel(ctx), rdb, []string{key}, processID)
			fn(feed)
		}()
	}
}
