// Package keepttl gives a new key no TTL in an unusual way: -1 is KEEPTTL [A11],
// and KEEPTTL has nothing to keep where NX only writes absent keys [A17].
package keepttl

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

var (
	errBusy          = errors.New("busy")
	compareAndDelete = redis.NewScript(`if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) end return 0`)
)

// A11: the constant by its name.
func patch(ctx context.Context, rdb *redis.Client, host string, fn func() error) error {
	key, token := "patch:"+host, rand.Text()
	ok, err := rdb.SetNX(ctx, key, token, redis.KeepTTL).Result() // want `no-ttl: `
	if err != nil || !ok {
		return errBusy
	}
	defer compareAndDelete.Run(context.WithoutCancel(ctx), rdb, []string{key}, token)
	return fn()
}

// A11: as a number, in a method pair.
type rackMutex struct {
	rdb redis.UniversalClient
	key string
}

func (m *rackMutex) Lock(ctx context.Context) bool {
	return m.rdb.SetNX(ctx, m.key, "1", -1).Val() // want `no-ttl: `
}

func (m *rackMutex) Unlock(ctx context.Context) { m.rdb.Del(ctx, m.key) }

// A11: behind a named constant, freed after the work.
const noExpiry time.Duration = -1

func reboot(ctx context.Context, rdb *redis.Client, host string, fn func()) error {
	if won, err := rdb.SetNX(ctx, "reboot:"+host, rand.Text(), noExpiry).Result(); err != nil || !won { // want `no-ttl: `
		return errBusy
	}
	fn()
	return rdb.Del(ctx, "reboot:"+host).Err()
}

// A11 with the second command of A1.
func drain(ctx context.Context, rdb *redis.Client, node string, fn func()) error {
	key := "drain:" + node
	if !rdb.SetNX(ctx, key, rand.Text(), redis.KeepTTL).Val() { // want `setnx-expire: `
		return errBusy
	}
	rdb.Expire(ctx, key, time.Minute)
	fn()
	return nil
}

// A17.
func upgrade(ctx context.Context, rdb *redis.Client, node string, fn func() error) error {
	key, token := "upgrade:"+node, rand.Text()
	if rdb.SetArgs(ctx, key, token, redis.SetArgs{Mode: "NX", KeepTTL: true}).Err() != nil { // want `no-ttl: `
		return errBusy
	}
	defer compareAndDelete.Run(context.WithoutCancel(ctx), rdb, []string{key}, token)
	return fn()
}

// A17 with the arguments in a variable, in a method pair.
type blade struct {
	rdb *redis.Client
	key string
}

func (b *blade) Acquire(ctx context.Context, token string) bool {
	args := redis.SetArgs{KeepTTL: true}
	args.Mode = "nx"
	return b.rdb.SetArgs(ctx, b.key, token, args).Err() == nil // want `no-ttl: `
}

func (b *blade) Release(ctx context.Context, token string) error {
	return compareAndDelete.Run(ctx, b.rdb, []string{b.key}, token).Err()
}

// A17: with a TTL beside it Redis refuses the command ("ERR syntax error").
func reimage(ctx context.Context, rdb redis.Cmdable, node string, fn func() error) error {
	key, token := "reimage:lock:"+node, rand.Text()
	if rdb.SetArgs(ctx, key, token, redis.SetArgs{Mode: "NX", KeepTTL: true, TTL: time.Minute}).Err() != nil { // want `no-ttl: `
		return errBusy
	}
	defer compareAndDelete.Run(context.WithoutCancel(ctx), rdb, []string{key}, token)
	return fn()
}

// A17 as a raw command.
func wipe(ctx context.Context, rdb *redis.Client, disk string, fn func()) error {
	key, token := "wipe:"+disk, rand.Text()
	if rdb.Do(ctx, "SET", key, token, "KEEPTTL", "NX").Err() != nil { // want `no-ttl: `
		return errBusy
	}
	fn()
	return compareAndDelete.Run(ctx, rdb, []string{key}, token).Err()
}
