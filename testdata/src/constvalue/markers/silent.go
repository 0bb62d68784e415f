// Package markers stores constants in keys that are no locks: nobody owns them.
package markers

import (
	"context"
	"crypto/rand"
	"time"

	"github.com/redis/go-redis/v9"
)

// Never deleted: a marker.
func seen(ctx context.Context, rdb *redis.Client, delivery string) (bool, error) {
	return rdb.SetNX(ctx, "hook:seen:"+delivery, "1", 24*time.Hour).Result()
}

// A cooldown: the TTL is the point.
func mayResend(ctx context.Context, rdb *redis.Client, user string) bool {
	return rdb.SetNX(ctx, "cooldown:mail:"+user, 1, time.Minute).Val()
}

// A cron guard: lock-named, never freed, never renewed.
func nightly(ctx context.Context, rdb *redis.Client, run func()) {
	if rdb.SetNX(ctx, "lock:nightly:"+time.Now().Format(time.DateOnly), "1", 23*time.Hour).Val() {
		run()
	}
}

// A marker that is given back where the work failed.
func onOrder(ctx context.Context, rdb *redis.Client, id string, handle func() error) error {
	key := "order:handled:" + id
	if fresh, err := rdb.SetNX(ctx, key, "1", 24*time.Hour).Result(); err != nil || !fresh {
		return err
	}
	if err := handle(); err != nil {
		rdb.Del(ctx, key)
		return err
	}
	return nil
}

// Sibling methods that set and clear a flag.
type ads struct{ rdb *redis.Client }

func (a *ads) Mute(ctx context.Context, campaign string) error {
	return a.rdb.SetNX(ctx, "ads:muted:"+campaign, 1, time.Hour).Err()
}

func (a *ads) Unmute(ctx context.Context, campaign string) error {
	return a.rdb.Del(ctx, "ads:muted:"+campaign).Err()
}

// A unique value for people to read, in a guard that nobody releases [C5].
func daily(ctx context.Context, rdb *redis.Client) bool {
	return rdb.SetNX(ctx, "cron:daily:"+time.Now().Format(time.DateOnly), rand.Text(), 23*time.Hour).Val()
}

// A generation id that nobody releases [C5].
func epoch(ctx context.Context, rdb *redis.Client) (string, error) {
	if err := rdb.SetNX(ctx, "epoch", rand.Text(), 0).Err(); err != nil {
		return "", err
	}
	return rdb.Get(ctx, "epoch").Result()
}

// The clock in a marker [C3].
func firstVisit(ctx context.Context, rdb *redis.Client, user string) (bool, error) {
	return rdb.SetNX(ctx, "visit:first:"+user, time.Now().Unix(), 0).Result()
}

// An editing lease: the owner IS the user, over many requests [C4].
func edit(ctx context.Context, rdb *redis.Client, doc, user string) (bool, error) {
	if ok, err := rdb.SetNX(ctx, "editing:"+doc, user, 5*time.Minute).Result(); err != nil || ok {
		return ok, err
	}
	owner, err := rdb.Get(ctx, "editing:"+doc).Result()
	return owner == user, err
}
