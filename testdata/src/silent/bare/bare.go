// Package bare has the commands of a lock's faults with nothing that says lock:
// no create, no name, no release.
package bare

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
)

func remove(ctx context.Context, rdb *redis.Client, key string) error {
	return rdb.Del(ctx, key).Err()
}

func take(ctx context.Context, rdb *redis.Client, key string) (string, error) {
	return rdb.GetDel(ctx, key).Result()
}

func compareThenDelete(ctx context.Context, rdb *redis.Client, key, value string) error {
	cur, err := rdb.Get(ctx, key).Result()
	if err != nil || cur != value {
		return err
	}
	return rdb.Del(ctx, key).Err()
}

func compareThenExpire(ctx context.Context, rdb *redis.Client, key, value string) (bool, error) {
	cur, err := rdb.Get(ctx, key).Result()
	if err != nil || cur != value {
		return false, err
	}
	return rdb.Expire(ctx, key, time.Minute).Result()
}

var clear = redis.NewScript(`return redis.call("del", KEYS[1])`)

func runClear(ctx context.Context, rdb *redis.Client, key, value string) error {
	return clear.Run(ctx, rdb, []string{key}, value).Err()
}

func conditions(ctx context.Context, rdb *redis.Client, key, value string) {
	rdb.DelExArgs(ctx, key, redis.DelExArgs{})
	rdb.DelExArgs(ctx, key, redis.DelExArgs{Mode: "IFNE", MatchValue: value})
	rdb.Expire(ctx, key, 0)
	rdb.Set(ctx, key, "", time.Second)
}

func beat(ctx context.Context, rdb *redis.Client, key string) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			rdb.Expire(ctx, key, 3*time.Second)
		}
	}
}

func overwrite(ctx context.Context, rdb *redis.Client, key, value string) bool {
	return rdb.SetXX(ctx, key, value, time.Minute).Val()
}

func create(ctx context.Context, rdb *redis.Client, id string) {
	rdb.SetNX(ctx, "create:a:"+id, id, redis.KeepTTL)
	rdb.SetNX(ctx, "create:b:"+id, id, -1)
	rdb.SetArgs(ctx, "create:c:"+id, id, redis.SetArgs{Mode: "NX", KeepTTL: true})
}

func watched(ctx context.Context, rdb *redis.Client, key, value string) error {
	return rdb.Watch(ctx, func(tx *redis.Tx) error {
		if cur, err := tx.Get(ctx, key).Result(); err != nil || cur != value {
			return err
		}
		return tx.Del(ctx, key).Err()
	}, key)
}
