package clock

import (
	"context"
	"crypto/rand"
	"fmt"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"
)

// Microseconds joined with a client id: the Redis page calls it sufficient.
func brake(ctx context.Context, rdb *redis.Client, train, driver string, fn func() error) error {
	key, token := "brake:"+train, driver+":"+strconv.FormatInt(time.Now().UnixMicro(), 10)
	ok, err := rdb.SetNX(ctx, key, token, time.Minute).Result()
	if err != nil || !ok {
		return errBusy
	}
	defer compareAndDelete.Run(context.WithoutCancel(ctx), rdb, []string{key}, token)
	return fn()
}

// Nanoseconds, kept and compared.
func signal(ctx context.Context, rdb *redis.Client, mast string, fn func() error) error {
	key, token := "signal:"+mast, time.Now().UnixNano()
	ok, err := rdb.SetNX(ctx, key, token, time.Minute).Result()
	if err != nil || !ok {
		return errBusy
	}
	defer compareAndDelete.Run(context.WithoutCancel(ctx), rdb, []string{key}, token)
	return fn()
}

// The second, and something random.
func whistle(ctx context.Context, rdb *redis.Client, train string, fn func()) {
	key, token := "whistle:"+train, fmt.Sprintf("%d-%s", time.Now().Unix(), rand.Text())
	if rdb.SetNX(ctx, key, token, time.Minute).Val() {
		defer compareAndDelete.Run(context.WithoutCancel(ctx), rdb, []string{key}, token)
		fn()
	}
}
