package host

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"time"

	"github.com/redis/go-redis/v9"
)

// A readable prefix and a unique rest.
func replicate(ctx context.Context, rdb *redis.Client, volume string, fn func() error) error {
	host, _ := os.Hostname()
	key, token := "replicate:"+volume, host+":"+rand.Text()
	ok, err := rdb.SetNX(ctx, key, token, time.Minute).Result()
	if err != nil || !ok {
		return errBusy
	}
	defer compareAndDelete.Run(context.WithoutCancel(ctx), rdb, []string{key}, token)
	return fn()
}

// The same by Sprintf.
func verify(ctx context.Context, rdb *redis.Client, volume string, fn func() error) error {
	key, token := "verify:"+volume, fmt.Sprintf("%s/%d/%s", identity(), os.Getpid(), rand.Text())
	if !rdb.SetNX(ctx, key, token, time.Minute).Val() {
		return errBusy
	}
	defer compareAndDelete.Run(context.WithoutCancel(ctx), rdb, []string{key}, token)
	return fn()
}

// For the log only: nobody releases.
func hourly(ctx context.Context, rdb *redis.Client, fn func()) {
	host, _ := os.Hostname()
	if rdb.SetNX(ctx, "hourly:"+time.Now().Format("2006-01-02T15"), host, 55*time.Minute).Val() {
		fn()
	}
}
