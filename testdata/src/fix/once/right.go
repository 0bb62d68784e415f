package once

import (
	"context"
	"crypto/rand"
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

// Locked or not, only who acquired frees.
func maybe(ctx context.Context, rdb *redis.Client, exclusive bool) error {
	ok := false
	if exclusive {
		ok = rdb.SetNX(ctx, "maybe:lock", "1", ttl).Val()
	}
	err := work(ctx)
	if ok {
		rdb.Del(ctx, "maybe:lock")
	}
	return err
}

func branch(ctx context.Context, rdb *redis.Client, exclusive bool) error {
	if exclusive && rdb.SetNX(ctx, "branch:lock", "1", ttl).Val() {
		defer rdb.Del(ctx, "branch:lock")
	}
	return work(ctx)
}

// The token stays the same from turn to turn.
func steady(ctx context.Context, rdb *redis.Client, tick <-chan time.Time, full func() bool) {
	held, token := false, rand.Text()
	for range tick {
		if !held {
			held = rdb.SetNX(ctx, "steady:lock", token, ttl).Val()
		}
		if held && full() {
			rdb.Del(ctx, "steady:lock")
			held = false
		}
	}
}

// Acquired and expired at once, in a literal that runs once.
func beside(ctx context.Context, rdb *redis.Client, token string) {
	if !rdb.SetNX(ctx, "beside:lock", token, 0).Val() {
		return
	}
	expire := func() {
		println("beside")
		rdb.Expire(ctx, "beside:lock", ttl)
	}
	expire()
	_ = work(ctx)
}

// A literal that holds nothing else stays.
func alone(ctx context.Context, rdb *redis.Client, token string) {
	if !rdb.SetNX(ctx, "alone:lock", token, 0).Val() {
		return
	}
	expire := func() { rdb.Expire(ctx, "alone:lock", ttl) }
	expire()
	_ = work(ctx)
}

// Tried several times, and left by who did not acquire.
func retried(ctx context.Context, rdb *redis.Client) error {
	var ok bool
	var err error
	for range 3 {
		ok, err = rdb.SetNX(ctx, "retried:lock", "1", ttl).Result()
		if err != nil {
			return err
		}
		if ok {
			break
		}
		time.Sleep(time.Second)
	}
	if !ok {
		return errBusy
	}
	defer rdb.Del(ctx, "retried:lock")
	return work(ctx)
}
