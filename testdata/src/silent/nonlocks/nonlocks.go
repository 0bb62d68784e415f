// Package nonlocks uses SET NX for things that are no locks.
package nonlocks

import (
	"context"
	"crypto/rand"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
)

// F1: an idempotency marker, given back where the handler failed.
func consume(ctx context.Context, rdb *redis.Client, event string, handle func() error) error {
	key := "processed:" + event
	first, err := rdb.SetNX(ctx, key, 1, 24*time.Hour).Result()
	if err != nil {
		return err
	}
	if !first {
		return nil
	}
	if err := handle(); err != nil {
		rdb.Del(context.WithoutCancel(ctx), key)
		return err
	}
	return nil
}

// F1 with a result that says so.
func notify(ctx context.Context, rdb *redis.Client, id string, send func() (bool, error)) error {
	key := "notified:" + id
	if ok, err := rdb.SetNX(ctx, key, "1", time.Hour).Result(); err != nil || !ok {
		return err
	}
	sent, err := send()
	if err != nil {
		_ = rdb.Del(ctx, key).Err()
		return fmt.Errorf("notify %s: %w", id, err)
	}
	if sent {
		rdb.Incr(ctx, "notified:count")
	}
	return nil
}

// F2: a cache-fill mutex that is left to its TTL.
func rates(ctx context.Context, rdb *redis.Client, pair string, load func() string) string {
	key := "rates:" + pair
	if v, err := rdb.Get(ctx, key).Result(); err == nil {
		return v
	}
	if rdb.SetNX(ctx, key+":fill", 1, 3*time.Second).Val() {
		v := load()
		rdb.Set(ctx, key, v, time.Minute)
		return v
	}
	time.Sleep(50 * time.Millisecond)
	return rdb.Get(ctx, key).Val()
}

// F3: leader election with an owner-checked renewal and resignation.
var (
	resign = redis.NewScript(`if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) end return 0`)
	keep   = redis.NewScript(`if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("pexpire", KEYS[1], ARGV[2]) end return 0`)
)

func elect(ctx context.Context, rdb *redis.Client, self string, lead func(context.Context)) {
	const key = "leader:matcher"
	if !rdb.SetNX(ctx, key, self, 15*time.Second).Val() {
		return
	}
	term, cancel := context.WithCancel(ctx)
	go func() {
		defer cancel()
		for {
			select {
			case <-term.Done():
				return
			case <-time.After(5 * time.Second):
				if n, err := keep.Run(term, rdb, []string{key}, self, 15000).Int(); err != nil || n == 0 {
					return
				}
			}
		}
	}()
	lead(term)
	cancel()
	resign.Run(context.WithoutCancel(ctx), rdb, []string{key}, self)
}

// F4: a throttle and a quota.
func mayCall(ctx context.Context, rdb *redis.Client, user string) (bool, error) {
	if ok, err := rdb.SetNX(ctx, "throttle:"+user, 1, time.Second).Result(); err != nil || !ok {
		return false, err
	}
	n, err := rdb.Incr(ctx, "quota:"+user).Result()
	if n == 1 {
		rdb.Expire(ctx, "quota:"+user, 24*time.Hour)
	}
	return n <= 1000, err
}

// F5: a cron guard. Never released, and must not be.
func everyMinute(ctx context.Context, rdb *redis.Client, job string, run func()) {
	slot := time.Now().Truncate(time.Minute).Unix()
	if rdb.SetNX(ctx, fmt.Sprintf("cron:lock:%s:%d", job, slot), "1", 55*time.Second).Val() {
		run()
	}
}

// F6: a generation id. No TTL, on purpose.
func generation(ctx context.Context, rdb *redis.Client) (string, error) {
	if err := rdb.SetNX(ctx, "book:generation", rand.Text(), 0).Err(); err != nil {
		return "", err
	}
	return rdb.Get(ctx, "book:generation").Result()
}

// F7: a reservation; the value is the business owner.
func reserve(ctx context.Context, rdb *redis.Client, room, booking string) (bool, error) {
	return rdb.SetNX(ctx, "room:hold:"+room, booking, 10*time.Minute).Result()
}

// F7: a lockout flag.
func lockOut(ctx context.Context, rdb *redis.Client, user string) error {
	return rdb.SetNX(ctx, "lockout:"+user, time.Now().Unix(), 15*time.Minute).Err()
}

// A set-if-absent cache that is read back.
func config(ctx context.Context, rdb *redis.Client, tenant, fallback string) (string, error) {
	if _, err := rdb.SetNX(ctx, "config:"+tenant, fallback, time.Hour).Result(); err != nil {
		return "", err
	}
	return rdb.Get(ctx, "config:"+tenant).Result()
}

// A toggle: nothing is exclusive.
func toggle(ctx context.Context, rdb *redis.Client, user, pair string) (on bool, err error) {
	on, err = rdb.SetNX(ctx, "watch:"+user+":"+pair, 1, 0).Result()
	if err == nil && !on {
		err = rdb.Del(ctx, "watch:"+user+":"+pair).Err()
	}
	return on, err
}
