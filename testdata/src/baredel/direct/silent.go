package direct

import (
	"context"
	"crypto/rand"
	"time"

	"github.com/redis/go-redis/v9"
)

var compareAndDelete = redis.NewScript(`
if redis.call("get", KEYS[1]) == ARGV[1] then
	return redis.call("del", KEYS[1])
end
return 0`)

// The owner-checked release, with a ctx of its own.
func reconcile(ctx context.Context, rdb *redis.Client, account string) error {
	key, token := "reconcile:"+account, rand.Text()
	ok, err := rdb.SetNX(ctx, key, token, 30*time.Second).Result()
	if err != nil || !ok {
		return errBusy
	}
	defer func() {
		c, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		compareAndDelete.Run(c, rdb, []string{key}, token)
	}()
	return step(ctx, account)
}

// A scratch key of the same section is deleted bare: it is no lock [D8].
func export(ctx context.Context, rdb *redis.Client, tenant string) error {
	key, token, scratch := "export:"+tenant, rand.Text(), "export:"+tenant+":rows"
	if ok, err := rdb.SetNX(ctx, key, token, time.Minute).Result(); err != nil || !ok {
		return errBusy
	}
	defer compareAndDelete.Run(context.WithoutCancel(ctx), rdb, []string{key}, token)
	defer rdb.Unlink(ctx, scratch)
	rdb.RPush(ctx, scratch, "row")
	return step(ctx, tenant)
}

// The variable holds another key by the time it is deleted.
func thumbnails(ctx context.Context, rdb *redis.Client, album string) error {
	key, token := "thumbs:"+album, rand.Text()
	if !rdb.SetNX(ctx, key, token, time.Minute).Val() {
		return errBusy
	}
	err := step(ctx, album)
	compareAndDelete.Run(ctx, rdb, []string{key}, token)
	key = "album:" + album
	rdb.Del(ctx, key) // the cached album
	return err
}

// Set if absent, use, throw away: nobody looks at the result and nothing is named
// like a lock, so this is a scratch key with a default.
func estimate(ctx context.Context, rdb *redis.Client, job string) (string, error) {
	rdb.SetNX(ctx, "estimate:"+job, "unknown", time.Minute)
	defer rdb.Del(ctx, "estimate:"+job)
	return rdb.Get(ctx, "estimate:"+job).Result()
}

// Another id, so another key.
func supersede(ctx context.Context, rdb *redis.Client, newID, oldID string) error {
	ok, err := rdb.SetNX(ctx, "revision:"+newID, "draft", time.Hour).Result()
	if err != nil || !ok {
		return errBusy
	}
	return rdb.Del(ctx, "revision:"+oldID).Err()
}

// A cron guard is never released; what is deleted is its result of last time.
func nightly(ctx context.Context, rdb *redis.Client) error {
	if !rdb.SetNX(ctx, "nightly:"+time.Now().Format(time.DateOnly), 1, 23*time.Hour).Val() {
		return nil
	}
	if err := step(ctx, "nightly"); err != nil {
		return err
	}
	return rdb.Del(ctx, "nightly:report").Err()
}
