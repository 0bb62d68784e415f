// Package getdel frees by GETDEL, which compares when the key is gone.
package getdel

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

const ttl = time.Minute

var errBusy, errLost = errors.New("busy"), errors.New("lost")

func work(ctx context.Context) error { return ctx.Err() }

func result(ctx context.Context, rdb *redis.Client, id, token string) error {
	key := "result:lock:" + id
	if !rdb.SetNX(ctx, key, token, ttl).Val() {
		return errBusy
	}
	_ = work(ctx)
	was, err := rdb.GetDel(ctx, key).Result()
	if errors.Is(err, redis.Nil) || err == nil && was != token {
		return errLost
	}
	return err
}

func asked(ctx context.Context, rdb *redis.Client, id, token string) error {
	key := "asked:lock:" + id
	if !rdb.SetNX(ctx, key, token, ttl).Val() {
		return errBusy
	}
	_ = work(ctx)
	if rdb.GetDel(ctx, key).Val() != token {
		return errLost
	}
	return nil
}

// Nobody looks at the value.
func dropped(ctx context.Context, rdb *redis.Client, id string) error {
	key := "dropped:lock:" + id
	if !rdb.SetNX(ctx, key, rand.Text(), ttl).Val() {
		return errBusy
	}
	defer rdb.GetDel(ctx, key)
	return work(ctx)
}

// The value that is compared is the constant: with a fresh token it never is.
func constant(ctx context.Context, rdb *redis.Client, id string) error {
	key := "constant:lock:" + id
	if !rdb.SetNX(ctx, key, "held", ttl).Val() {
		return errBusy
	}
	_ = work(ctx)
	if rdb.GetDel(ctx, key).Val() != "held" {
		return errLost
	}
	return nil
}
