package direct

import (
	"context"
	"crypto/rand"
	"time"

	"github.com/redis/go-redis/v9"
)

// An Expire after a SetNX that had a TTL promotes the marker: no gap [A1].
func enrich(ctx context.Context, rdb *redis.Client, lead string) error {
	key := "enriched:" + lead
	ok, err := rdb.SetNX(ctx, key, "started", time.Minute).Result()
	if err != nil || !ok {
		return err
	}
	if err := step(ctx, lead); err != nil {
		return err
	}
	return rdb.Expire(ctx, key, 7*24*time.Hour).Err()
}

// The owner stretches what it holds: the key had a TTL.
func longRun(ctx context.Context, rdb *redis.Client, run string, big bool) error {
	key := "run:" + run
	if ok, err := rdb.SetNX(ctx, key, rand.Text(), time.Minute).Result(); err != nil || !ok {
		return errBusy
	}
	if big {
		rdb.Expire(ctx, key, time.Hour)
	}
	return step(ctx, run)
}

// A ttl of unknown value is no evidence, with a guard [A2] ...
func guarded(ctx context.Context, rdb *redis.Client, id string, ttl time.Duration) (bool, error) {
	if ttl <= 0 {
		ttl = 30 * time.Second
	}
	return rdb.SetNX(ctx, "guarded:"+id, rand.Text(), ttl).Result()
}

// ... and without one.
func unguarded(ctx context.Context, rdb *redis.Client, id string, ttl time.Duration) error {
	key := "unguarded:" + id
	ok, err := rdb.SetNX(ctx, key, rand.Text(), ttl).Result()
	if err != nil || !ok {
		return errBusy
	}
	return rdb.Expire(ctx, key, 2*ttl).Err()
}

// A sliding window: losers extend it as well, and nothing says lock.
func quiet(ctx context.Context, rdb *redis.Client, user string) (bool, error) {
	key := "quiet:" + user
	first, err := rdb.SetNX(ctx, key, 1, 0).Result()
	if err != nil {
		return false, err
	}
	return first, rdb.Expire(ctx, key, 10*time.Minute).Err()
}

// The Expire is for another key.
func publish(ctx context.Context, rdb *redis.Client, post string) error {
	ok, err := rdb.SetNX(ctx, "published:"+post, time.Now().Unix(), 0).Result() // for ever, on purpose
	if err != nil || !ok {
		return err
	}
	return rdb.Expire(ctx, "feed:"+post, time.Hour).Err()
}

// Seeded once, expired by whoever comes: the result decides nothing.
func greet(ctx context.Context, rdb *redis.Client, room string) error {
	key := "greeting:" + room
	if err := rdb.SetNX(ctx, key, "welcome", 0).Err(); err != nil {
		return err
	}
	return rdb.Expire(ctx, key, time.Hour).Err()
}
