// Package plain has the loops of renewloops on keys that are no locks, or with an
// owner check.
package plain

import (
	"context"
	"crypto/rand"
	"time"

	"github.com/redis/go-redis/v9"
)

const ttl = 30 * time.Second

var extend = redis.NewScript(`if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("pexpire", KEYS[1], ARGV[2]) end return 0`)

// The function with a key parameter, started with go, compares.
func moor(ctx context.Context, rdb *redis.Client, quay string, fn func()) {
	key, token := "quay:lock:"+quay, rand.Text()
	if !rdb.SetNX(ctx, key, token, ttl).Val() {
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go hold(ctx, rdb, key, token)
	fn()
}

func hold(ctx context.Context, rdb *redis.Client, key, token string) {
	for ctx.Err() == nil {
		time.Sleep(ttl / 3)
		if extend.Run(ctx, rdb, []string{key}, token, ttl.Milliseconds()).Val() == 0 {
			return
		}
	}
}

// The same function shape on presence keys: nobody excludes anybody.
func announce(ctx context.Context, rdb *redis.Client, ship string) {
	rdb.Set(ctx, "ship:seen:"+ship, time.Now().Unix(), ttl)
	go beat(ctx, rdb, "ship:seen:"+ship)
}

func beat(ctx context.Context, rdb *redis.Client, key string) {
	for ctx.Err() == nil {
		time.Sleep(ttl / 3)
		rdb.Expire(ctx, key, ttl)
	}
}

// A timer on a key that anybody may write: the last report of a ship stands longer
// if no newer one comes.
func report(ctx context.Context, rdb *redis.Client, ship, position string) error {
	time.AfterFunc(10*time.Minute, func() {
		rdb.Expire(context.WithoutCancel(ctx), "position:"+ship, time.Hour)
	})
	return rdb.Set(ctx, "position:"+ship, position, 15*time.Minute).Err()
}

// The winner itself, straight after it won: the lock is a moment old.
func anchor(ctx context.Context, rdb *redis.Client, bay, token string) (bool, error) {
	key := "bay:" + bay + ":leader"
	ok, err := rdb.SetNX(ctx, key, token, ttl).Result()
	if err != nil || !ok {
		return false, err
	}
	return true, rdb.Expire(ctx, key, ttl).Err()
}
