// Package plain has the handles of leases done right, and handles of things that
// are no locks.
package plain

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
)

const ttl = 30 * time.Second

var (
	release = redis.NewScript(`if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) end return 0`)
	extend  = redis.NewScript(`if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("pexpire", KEYS[1], ARGV[2]) end return 0`)
)

// The handle keeps the token and compares both times.
type Claim struct {
	rdb        redis.UniversalClient
	key, token string
}

func Obtain(ctx context.Context, rdb redis.UniversalClient, key, token string) (*Claim, error) {
	ok, err := rdb.SetNX(ctx, key, token, ttl).Result()
	if err != nil || !ok {
		return nil, err
	}
	return &Claim{rdb: rdb, key: key, token: token}, nil
}

func (c *Claim) Refresh(ctx context.Context) (bool, error) {
	n, err := extend.Run(ctx, c.rdb, []string{c.key}, c.token, ttl.Milliseconds()).Int()
	return n == 1, err
}

func (c *Claim) Release(ctx context.Context) error {
	return release.Run(ctx, c.rdb, []string{c.key}, c.token).Err()
}

// A claim of work that is done once: only its owner gives it back, and the create
// is hidden in a helper.
type Rounds struct {
	rdb *redis.Client
	ttl time.Duration
}

func (r Rounds) Claim(ctx context.Context, round, owner string) (bool, error) {
	return r.put(ctx, round, owner)
}

func (r Rounds) put(ctx context.Context, key, v string) (bool, error) {
	st, err := r.rdb.SetArgs(ctx, key, v, redis.SetArgs{TTL: r.ttl, Mode: "nx"}).Result()
	if err != nil && err != redis.Nil {
		return false, err
	}
	return st == "OK", nil
}

func (r Rounds) Release(ctx context.Context, round, owner string) error {
	return release.Run(ctx, r.rdb, []string{round}, owner).Err()
}

// A transaction with a record of its state: made long when it ends, removed when
// it is rolled back.
type Booking struct {
	rdb *redis.Client
	key string
}

func Begin(ctx context.Context, rdb *redis.Client, id string) (*Booking, error) {
	ok, err := rdb.SetNX(ctx, "booking:"+id, "pending", time.Minute).Result()
	if err != nil || !ok {
		return nil, err
	}
	return &Booking{rdb, "booking:" + id}, nil
}

func (b *Booking) Rollback(ctx context.Context) { b.rdb.Del(ctx, b.key) }

func (b *Booking) Commit(ctx context.Context) { b.rdb.Expire(ctx, b.key, 24*time.Hour) }
