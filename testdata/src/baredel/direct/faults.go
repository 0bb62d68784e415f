// Package direct frees a lock in the function that took it.
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

// D1, as it is written most often: the check is right, the token is fresh, and
// nobody looks at it when the key is deleted.
func settle(ctx context.Context, rdb *redis.Client, wallet string) error {
	token := rand.Text()
	ok, err := rdb.SetNX(ctx, "wallet:settle:"+wallet, token, 20*time.Second).Result()
	if err != nil || !ok {
		return errBusy
	}
	defer rdb.Del(ctx, "wallet:settle:"+wallet) // want `unowned-release: `
	return step(ctx, wallet)
}

// A cache-fill mutex. A bare Del here costs one more load, but it cannot be told
// from the others and the remedy is the same.
func rebuild(ctx context.Context, rdb *redis.Client, page string) {
	fill := fmt.Sprintf("%s:fill", page)
	if rdb.SetNX(ctx, fill, 1, 3*time.Second).Val() {
		_ = step(ctx, page)
		rdb.Del(ctx, fill) // want `unowned-release: `
	}
}

// The command is kept and asked later; Unlink is DEL by another name [D8].
func importFeed(ctx context.Context, rdb *redis.Client, feed string) error {
	key := "feed:import:" + feed
	cmd := rdb.SetNX(ctx, key, rand.Text(), time.Minute)
	if won, err := cmd.Result(); err != nil || !won {
		return errBusy
	}
	defer rdb.Unlink(ctx, key) // want `unowned-release: `
	return step(ctx, feed)
}

// A few attempts, then the work, then a plain Del after it.
func reprice(ctx context.Context, rdb *redis.Client, sku string) error {
	key := "reprice:" + sku
	for range 5 {
		ok, err := rdb.SetNX(ctx, key, 1, 10*time.Second).Result()
		if err != nil {
			return err
		}
		if !ok {
			time.Sleep(20 * time.Millisecond)
			continue
		}
		err = step(ctx, sku)
		rdb.Del(ctx, key) // want `unowned-release: `
		return err
	}
	return errBusy
}

// A switch decides who goes on.
func closeMonth(ctx context.Context, rdb *redis.Client, ledger string) error {
	ok, err := rdb.SetNX(ctx, "ledger:"+ledger+":close", "1", 5*time.Minute).Result()
	switch {
	case err != nil:
		return err
	case !ok:
		return errBusy
	}
	defer rdb.Del(ctx, "ledger:"+ledger+":close") // want `unowned-release: `
	return step(ctx, ledger)
}

// SET NX through SetArgs; contention is redis.Nil.
func compact(ctx context.Context, rdb *redis.Client, shard string) error {
	key := "compact:" + shard
	err := rdb.SetArgs(ctx, key, rand.Text(), redis.SetArgs{Mode: "NX", TTL: time.Minute}).Err()
	if errors.Is(err, redis.Nil) {
		return errBusy
	}
	if err != nil {
		return err
	}
	defer rdb.Del(ctx, key) // want `unowned-release: `
	return step(ctx, shard)
}

// The same, the arguments filled in later and the mode in lower case.
func vacuum(ctx context.Context, rdb *redis.Client, table string) error {
	key := "vacuum:" + table
	args := redis.SetArgs{TTL: time.Minute}
	args.Mode = "nx"
	if rdb.SetArgs(ctx, key, rand.Text(), args).Err() != nil {
		return errBusy
	}
	err := step(ctx, table)
	if delErr := rdb.Del(ctx, key).Err(); delErr != nil { // want `unowned-release: `
		return errors.Join(err, delErr)
	}
	return err
}

// D8 once more: Unlink after the work, in an if-else.
func publishIndex(ctx context.Context, rdb *redis.Client, index string) error {
	if ok, err := rdb.SetNX(ctx, "index:publish:"+index, rand.Text(), time.Minute).Result(); err != nil {
		return err
	} else if !ok {
		return errBusy
	}
	err := step(ctx, index)
	_ = rdb.Unlink(ctx, "index:publish:"+index).Err() // want `unowned-release: `
	return err
}

// Nobody looks at the result, so only the name says that it is a lock at all.
func rotateKeys(ctx context.Context, rdb *redis.Client) error {
	rdb.SetNX(ctx, "lock:rotate-keys", rand.Text(), time.Minute)
	defer rdb.Del(ctx, "lock:rotate-keys") // want `(unowned-release|release-unheld): `
	return step(ctx, "rotate")
}

// Freed where the work succeeded and left to its TTL where it failed.
func migrate(ctx context.Context, rdb *redis.Client, schema string) error {
	key := "schema:migrate:" + schema
	ok, err := rdb.SetNX(ctx, key, rand.Text(), time.Hour).Result()
	if err != nil {
		return err
	}
	if ok {
		if err := step(ctx, schema); err != nil {
			return err
		}
		return rdb.Del(ctx, key).Err() // want `unowned-release: `
	}
	return errBusy
}
