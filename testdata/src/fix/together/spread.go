package together

import (
	"context"
	"crypto/rand"

	"github.com/redis/go-redis/v9"
)

// The keys that were acquired, in a slice.
func all(ctx context.Context, rdb *redis.Client, ids []string) error {
	held := make([]string, 0, len(ids))
	for _, id := range ids {
		key := "all:lock:" + id
		if !rdb.SetNX(ctx, key, rand.Text(), ttl).Val() {
			if len(held) > 0 {
				rdb.Del(ctx, held...)
			}
			return errBusy
		}
		held = append(held, key)
	}
	defer rdb.Del(context.WithoutCancel(ctx), held...)
	return work(ctx)
}

func some(ctx context.Context, rdb *redis.Client, ids []string) error {
	var held []string
	defer func() {
		rdb.Unlink(ctx, held...)
	}()
	for _, id := range ids {
		if rdb.SetNX(ctx, "some:lock:"+id, "1", ttl).Val() {
			held = append(held, "some:lock:"+id)
		}
	}
	return work(ctx)
}

// What else is in the slice holds no token.
func besides(ctx context.Context, rdb *redis.Client, ids []string) error {
	var held []string
	for _, id := range ids {
		key := "besides:lock:" + id
		if !rdb.SetNX(ctx, key, rand.Text(), ttl).Val() {
			break
		}
		held = append(held, key)
		held = append(held, "besides:rows:"+id)
	}
	err := work(ctx)
	rdb.Del(ctx, held...)
	return err
}

// It is not known what the function does with the slice.
func handed(ctx context.Context, rdb *redis.Client, ids []string, sort func([]string)) error {
	var held []string
	for _, id := range ids {
		key := "handed:lock:" + id
		if !rdb.SetNX(ctx, key, rand.Text(), ttl).Val() {
			break
		}
		held = append(held, key)
	}
	sort(held)
	err := work(ctx)
	rdb.Del(ctx, held...)
	return err
}

// The deferred call has the keys of the moment it is deferred.
func early(ctx context.Context, rdb *redis.Client, ids []string) error {
	var held []string
	for _, id := range ids {
		key := "early:lock:" + id
		if !rdb.SetNX(ctx, key, rand.Text(), ttl).Val() {
			break
		}
		held = append(held, key)
	}
	defer rdb.Del(ctx, held...)
	err := work(ctx)
	held = nil
	return err
}
