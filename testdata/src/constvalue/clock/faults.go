// Package clock takes the second as the value of a lock: two attempts in one
// second share it [C3].
package clock

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"
)

var (
	errBusy          = errors.New("busy")
	compareAndDelete = redis.NewScript(`if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) end return 0`)
)

// Kept and compared, and still not unique.
func departure(ctx context.Context, rdb *redis.Client, train string, fn func() error) error {
	key, now := "departure:"+train, time.Now().Unix()
	ok, err := rdb.SetNX(ctx, key, now, time.Minute).Result() // want `weak-token: `
	if err != nil || !ok {
		return errBusy
	}
	defer compareAndDelete.Run(context.WithoutCancel(ctx), rdb, []string{key}, now)
	return fn()
}

// Inline, in a method pair.
type trackLock struct{ rdb redis.UniversalClient }

func (l *trackLock) Acquire(ctx context.Context, track string) bool {
	return l.rdb.SetNX(ctx, "track:"+track, time.Now().Unix(), time.Minute).Val() // want `weak-token: `
}

func (l *trackLock) Release(ctx context.Context, track string) { l.rdb.Del(ctx, "track:"+track) }

// As text.
func shunt(ctx context.Context, rdb *redis.Client, wagon string, fn func()) error {
	stamp := strconv.FormatInt(time.Now().Unix(), 10)
	if !rdb.SetNX(ctx, "shunt:"+wagon, stamp, time.Minute).Val() { // want `weak-token: `
		return errBusy
	}
	fn()
	return compareAndDelete.Run(ctx, rdb, []string{"shunt:" + wagon}, stamp).Err()
}

// As text, in the goroutine that does the work.
func couple(ctx context.Context, rdb *redis.Client, wagon string, fn func()) {
	go func() {
		key, stamp := "couple:"+wagon, fmt.Sprintf("%d", time.Now().Unix())
		if rdb.SetNX(ctx, key, stamp, time.Minute).Val() { // want `weak-token: `
			defer compareAndDelete.Run(context.WithoutCancel(ctx), rdb, []string{key}, stamp)
			fn()
		}
	}()
}
