// Package host names the machine in the value of a lock: two runs on one host are
// one owner, and in containers the pid is always 1 [C2].
package host

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"
)

var (
	errBusy          = errors.New("busy")
	compareAndDelete = redis.NewScript(`if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) end return 0`)
)

// The host name.
func backup(ctx context.Context, rdb *redis.Client, volume string, fn func() error) error {
	host, _ := os.Hostname()
	key := "backup:" + volume
	ok, err := rdb.SetNX(ctx, key, host, time.Hour).Result() // want `weak-token: `
	if err != nil || !ok {
		return errBusy
	}
	defer compareAndDelete.Run(context.WithoutCancel(ctx), rdb, []string{key}, host)
	return fn()
}

// The pid, inline, in a method pair.
type volumeLock struct {
	rdb *redis.Client
	key string
}

func (l *volumeLock) Lock(ctx context.Context) (bool, error) {
	return l.rdb.SetNX(ctx, l.key, os.Getpid(), time.Minute).Result() // want `weak-token: `
}

func (l *volumeLock) Unlock(ctx context.Context) error {
	return compareAndDelete.Run(ctx, l.rdb, []string{l.key}, strconv.Itoa(os.Getpid())).Err()
}

// Both, by way of a helper.
func identity() string {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	return fmt.Sprintf("%s-%d", host, os.Getpid())
}

func restore(ctx context.Context, rdb redis.UniversalClient, volume string, fn func()) error {
	me := identity()
	if !rdb.SetNX(ctx, "restore:"+volume, me, time.Minute).Val() { // want `weak-token: `
		return errBusy
	}
	fn()
	return compareAndDelete.Run(ctx, rdb, []string{"restore:" + volume}, me).Err()
}

// The pod, in a closure.
func lockSnapshot(ctx context.Context, rdb *redis.Client, snapshot string) (func() error, error) {
	key, pod := "snapshot:lock:"+snapshot, os.Getenv("POD_NAME")
	if ok, err := rdb.SetNX(ctx, key, pod, time.Minute).Result(); err != nil || !ok { // want `weak-token: `
		return nil, errBusy
	}
	return func() error { return compareAndDelete.Run(context.WithoutCancel(ctx), rdb, []string{key}, pod).Err() }, nil
}
