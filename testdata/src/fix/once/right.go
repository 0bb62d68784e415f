package once

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
)

// One acquisition, though it is tried several times.
func wait(ctx context.Context, rdb *redis.Client) {
	for !rdb.SetNX(ctx, "wait:lock", "1", ttl).Val() {
		time.Sleep(time.Second)
	}
	go func() {
		defer rdb.Del(ctx, "wait:lock")
		_ = work(ctx)
	}()
}

// Each turn has a token of its own.
func each(ctx context.Context, rdb *redis.Client, jobs <-chan string) {
	for job := range jobs {
		if !rdb.SetNX(ctx, "each:lock", "1", ttl).Val() {
			continue
		}
		go func() {
			defer rdb.Del(ctx, "each:lock")
			_ = work(ctx)
			println(job)
		}()
	}
}

// One token for many keys.
func many(ctx context.Context, rdb *redis.Client, ids []string) {
	var got []string
	defer func() {
		for _, id := range got {
			rdb.Del(ctx, "many:lock:"+id)
		}
	}()
	for _, id := range ids {
		if rdb.SetNX(ctx, "many:lock:"+id, "1", ttl).Val() {
			got = append(got, id)
		}
	}
	_ = work(ctx)
}

// Everybody who did not acquire deletes it: that is the fault, and the compare ends it.
func loser(ctx context.Context, rdb *redis.Client) error {
	ok, err := rdb.SetNX(ctx, "loser:lock", "1", ttl).Result()
	if err != nil {
		return err
	}
	if !ok {
		rdb.Del(ctx, "loser:lock")
		return errBusy
	}
	defer rdb.Del(ctx, "loser:lock")
	return work(ctx)
}

// The value is chosen by what calls the helper.
func put(ctx context.Context, rdb *redis.Client, key, value string) bool {
	return rdb.SetNX(ctx, "put:lock:"+key, value, ttl).Val()
}

func placed(ctx context.Context, rdb *redis.Client, key string) error {
	if !put(ctx, rdb, key, "1") {
		return errBusy
	}
	defer rdb.Del(ctx, "put:lock:"+key)
	return work(ctx)
}
