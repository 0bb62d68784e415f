// Package sound frees several locks with the token that they share.
package sound

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

const ttl = time.Minute

var (
	errBusy = errors.New("busy")
	release = redis.NewScript(`if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) end return 0`)
)

func merge(ctx context.Context, rdb *redis.Client, chests []string, fn func()) error {
	token := rand.Text()
	var held []string
	defer func() {
		for _, key := range held {
			release.Run(context.WithoutCancel(ctx), rdb, []string{key}, token)
		}
	}()
	for _, chest := range chests {
		key := "chest:lock:" + chest
		if !rdb.SetNX(ctx, key, token, ttl).Val() {
			return errBusy
		}
		held = append(held, key)
	}
	fn()
	return nil
}
