package async

import (
	"context"
	"crypto/rand"
	"time"

	"github.com/redis/go-redis/v9"
)

var extend = redis.NewScript(`if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("pexpire", KEYS[1], ARGV[2]) end return 0`)

// An owner-checked renewal in a goroutine, of a lock that has a TTL.
func trim(ctx context.Context, rdb *redis.Client, book string, fn func(context.Context) error) error {
	key, token := "trim:"+book, rand.Text()
	ok, err := rdb.SetNX(ctx, key, token, 30*time.Second).Result()
	if err != nil || !ok {
		return errBusy
	}
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
				if n, err := extend.Run(ctx, rdb, []string{key}, token, 30000).Int(); err != nil || n == 0 {
					cancel()
					return
				}
			}
		}
	}()
	return fn(ctx)
}
