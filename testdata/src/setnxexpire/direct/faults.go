// Package direct creates a key without a TTL and expires it with a second command
// in the same function [A1, A2].
package direct

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
)

var errBusy = errors.New("busy")

func step(ctx context.Context, name string) error { return ctx.Err() }

// A1: nobody reads the error of the Expire.
func reprice(ctx context.Context, rdb *redis.Client, catalog string) error {
	key := "reprice:" + catalog
	ok, err := rdb.SetNX(ctx, key, rand.Text(), 0).Result() // want `setnx-expire: `
	if err != nil || !ok {
		return errBusy
	}
	rdb.Expire(ctx, key, 30*time.Second)
	return step(ctx, catalog)
}

// A1 in the branch of the winner, with Val and a named constant for no TTL.
const forever = time.Duration(0)

func warmUp(ctx context.Context, rdb *redis.Client, region string) {
	key := fmt.Sprintf("warm-up:%s", region)
	if rdb.SetNX(ctx, key, "1", forever).Val() { // want `setnx-expire: `
		rdb.Expire(ctx, key, time.Minute)
		_ = step(ctx, region)
	}
}

// A1 for a delivery marker: it needs no release, the gap leaves it for ever and
// the delivery is never handled again.
func onDelivery(ctx context.Context, rdb *redis.Client, id string, handle func() error) error {
	fresh, err := rdb.SetNX(ctx, "delivery:"+id, time.Now().Unix(), 0).Result() // want `setnx-expire: `
	if err != nil {
		return err
	}
	if !fresh {
		return nil
	}
	if err := rdb.Expire(ctx, "delivery:"+id, 24*time.Hour).Err(); err != nil {
		return err
	}
	return handle()
}

// A1 in a retry loop, the command kept and asked.
func obtainSlot(ctx context.Context, rdb redis.UniversalClient, slot string) error {
	for range 10 {
		cmd := rdb.SetNX(ctx, "slot:"+slot, rand.Text(), 0) // want `setnx-expire: `
		if ok, err := cmd.Result(); err != nil {
			return err
		} else if ok {
			return rdb.Expire(ctx, "slot:"+slot, 10*time.Second).Err()
		}
		time.Sleep(50 * time.Millisecond)
	}
	return errBusy
}

// A1 in a switch, and the Expire for losers too; the release says that it is a lock.
var compareAndDelete = redis.NewScript(`if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) end return 0`)

func rebalance(ctx context.Context, rdb *redis.Client, pool string) error {
	key, token := "rebalance:lock:"+pool, rand.Text()
	ok, err := rdb.SetNX(ctx, key, token, 0).Result() // want `setnx-expire: `
	rdb.Expire(ctx, key, time.Minute)
	switch {
	case err != nil:
		return err
	case !ok:
		return errBusy
	}
	defer compareAndDelete.Run(context.WithoutCancel(ctx), rdb, []string{key}, token)
	return step(ctx, pool)
}

// A2: the work, and a return, stand between.
func closeBooks(ctx context.Context, rdb *redis.Client, year int) error {
	key := fmt.Sprintf("books:%d:close", year)
	ok, err := rdb.SetNX(ctx, key, rand.Text(), 0).Result() // want `setnx-expire: `
	if err != nil || !ok {
		return errBusy
	}
	if err := step(ctx, key); err != nil {
		return err
	}
	return rdb.Expire(ctx, key, time.Hour).Err()
}

// A2: in a branch.
func index(ctx context.Context, rdb *redis.Client, shard string, short bool) error {
	key := "index:" + shard
	if ok, err := rdb.SetNX(ctx, key, 1, 0).Result(); err != nil || !ok { // want `setnx-expire: `
		return errBusy
	}
	if short {
		rdb.Expire(ctx, key, 5*time.Second)
	} else {
		rdb.Expire(ctx, key, time.Minute)
	}
	return step(ctx, shard)
}

// A2: deferred, so it comes when the work is done.
func archive(ctx context.Context, rdb *redis.Client, box string, ttl time.Duration) error {
	key := "archive:" + box
	won, err := rdb.SetNX(ctx, key, rand.Text(), 0).Result() // want `setnx-expire: `
	if err != nil {
		return err
	}
	if won {
		defer rdb.Expire(ctx, key, ttl)
		return step(ctx, box)
	}
	return errBusy
}

// The result decides in the caller: it is returned.
func tryEnter(ctx context.Context, rdb *redis.Client, room string) (bool, error) {
	ok, err := rdb.SetNX(ctx, "enter:"+room, "1", 0).Result() // want `setnx-expire: `
	if err != nil || !ok {
		return false, err
	}
	err = rdb.Expire(ctx, "enter:"+room, time.Minute).Err()
	return ok, err
}
