// Package data uses SET NX and EXPIRE on counters, windows and values. Data
// commands meet the key, so it excludes nobody.
package data

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
)

// A counter that is seeded, counted and expired.
func hit(ctx context.Context, rdb *redis.Client, ip string) (int64, error) {
	key := "hits:" + ip
	first, err := rdb.SetNX(ctx, key, 0, 0).Result()
	if err != nil {
		return 0, err
	}
	if first {
		rdb.Expire(ctx, key, time.Minute)
	}
	return rdb.Incr(ctx, key).Result()
}

// A remaining quota, over two methods of a type.
type quota struct{ rdb redis.UniversalClient }

func (q *quota) open(ctx context.Context, user string, n int) error {
	ok, err := q.rdb.SetNX(ctx, "quota:"+user, n, 0).Result()
	if err != nil || !ok {
		return err
	}
	return q.rdb.Expire(ctx, "quota:"+user, 24*time.Hour).Err()
}

func (q *quota) take(ctx context.Context, user string) (bool, error) {
	left, err := q.rdb.Decr(ctx, "quota:"+user).Result()
	return left >= 0, err
}

// The first caller names the value, all read it.
func generation(ctx context.Context, rdb *redis.Client, id string) (string, error) {
	won, err := rdb.SetNX(ctx, "generation", id, 0).Result()
	if err != nil {
		return "", err
	}
	if won {
		rdb.Expire(ctx, "generation", time.Hour)
	}
	return rdb.Get(ctx, "generation").Result()
}

// The marker holds the result in the end.
func compute(ctx context.Context, rdb *redis.Client, query string, run func() string) error {
	key := "result:" + query
	ok, err := rdb.SetNX(ctx, key, "", 0).Result()
	if err != nil || !ok {
		return err
	}
	rdb.Expire(ctx, key, time.Minute)
	return rdb.Set(ctx, key, run(), time.Hour).Err()
}

// Seeds in a pipeline [A3].
func seedAll(ctx context.Context, rdb *redis.Client, day string, shops []string) error {
	pipe := rdb.Pipeline()
	for _, shop := range shops {
		pipe.SetNX(ctx, "sales:"+day+":"+shop, 0, 0)
		pipe.Expire(ctx, "sales:"+day+":"+shop, 48*time.Hour)
	}
	_, err := pipe.Exec(ctx)
	return err
}

// The same in MULTI, with the count beside it.
func seedAndCount(ctx context.Context, rdb *redis.Client, day string) (int64, error) {
	key := "visits:" + day
	var n *redis.IntCmd
	_, err := rdb.TxPipelined(ctx, func(p redis.Pipeliner) error {
		p.SetNX(ctx, key, 0, 0)
		n = p.Incr(ctx, key)
		p.Expire(ctx, key, 48*time.Hour)
		return nil
	})
	return n.Val(), err
}

// Never expired and never freed [A8].
func nextOrder(ctx context.Context, rdb *redis.Client) (int64, error) {
	if err := rdb.SetNX(ctx, "seq:order", 1000, 0).Err(); err != nil {
		return 0, err
	}
	return rdb.Incr(ctx, "seq:order").Result()
}
