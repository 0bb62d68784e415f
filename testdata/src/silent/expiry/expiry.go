// Package expiry holds sound or harmless TTLs: the near-misses of the cases about
// expiry that no pass answers for yet, and of some that one does.
package expiry

import (
	"context"
	"crypto/rand"
	"errors"
	mathrand "math/rand/v2"
	"net/http"
	"time"

	"github.com/redis/go-redis/v9"
)

const ttl = 30 * time.Second

var (
	errBusy = errors.New("busy")
	unlock  = redis.NewScript(`if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) end return 0`)
	extend  = redis.NewScript(`if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("pexpire", KEYS[1], ARGV[2]) end return 0`)
)

// A9: a reservation becomes permanent on purpose.
func confirm(ctx context.Context, rdb *redis.Client, name string) error {
	ok, err := rdb.SetNX(ctx, "name:"+name, "reserved", time.Hour).Result()
	if err != nil || !ok {
		return err
	}
	return rdb.Persist(ctx, "name:"+name).Err()
}

// A9: another value, the same TTL.
func progress(ctx context.Context, rdb *redis.Client, job string, percent int) error {
	if err := rdb.SetNX(ctx, "progress:"+job, 0, time.Hour).Err(); err != nil {
		return err
	}
	return rdb.Set(ctx, "progress:"+job, percent, redis.KeepTTL).Err()
}

// A10: units.
func units(ctx context.Context, rdb *redis.Client, id string, secs int, d time.Duration) {
	rdb.SetNX(ctx, "unit:s:"+id, rand.Text(), time.Duration(secs)*time.Second)
	rdb.SetNX(ctx, "unit:e:"+id, rand.Text(), 30e9) // odd, but 30 s
	rdb.SetNX(ctx, "unit:d:"+id, rand.Text(), d)
	rdb.Do(ctx, "SET", "unit:r:"+id, rand.Text(), "NX", "EX", 30)
}

// A11: a guard, and jitter on a positive base.
func untilDeadline(ctx context.Context, rdb *redis.Client, id string, deadline time.Time) (bool, error) {
	left := time.Until(deadline)
	if left <= 0 {
		return false, nil
	}
	jitter := time.Duration(mathrand.IntN(10)) * time.Second
	return rdb.SetNX(ctx, "deadline:"+id, rand.Text(), left+jitter).Result()
}

// A12: exact below a second.
func subSecond(ctx context.Context, rdb *redis.Client, id string, d time.Duration) {
	rdb.SetNX(ctx, "sub:a:"+id, rand.Text(), 1900*time.Millisecond)
	rdb.PExpire(ctx, "sub:b:"+id, 1900*time.Millisecond)
	rdb.Do(ctx, "SET", "sub:c:"+id, rand.Text(), "NX", "PX", d.Milliseconds())
}

// A13: whole numbers in raw commands and scripts.
func whole(ctx context.Context, rdb *redis.Client, id, token string) {
	rdb.Do(ctx, "SET", "whole:a:"+id, token, "NX", "PX", ttl.Milliseconds())
	rdb.Do(ctx, "SET", "whole:b:"+id, token, "NX", "EX", int64(ttl/time.Second))
	rdb.Do(ctx, "SET", "whole:c:"+id, token, "NX", "EX", ttl.Seconds())
	extend.Run(ctx, rdb, []string{"whole:a:" + id}, token, ttl.Milliseconds())
}

// A14: the right arity, and an unconditional write.
func arity(ctx context.Context, rdb *redis.Client, name string) error {
	if err := rdb.Do(ctx, "setnx", "arity:"+name, 1).Err(); err != nil {
		return err
	}
	return rdb.Do(ctx, "set", "arity:"+name, 1, "ex", 10).Err()
}

// A18: the first write wins. Data.
func signup(ctx context.Context, rdb *redis.Client, user string) (bool, error) {
	if _, err := rdb.MSetNX(ctx, "user:"+user+":plan", "free", "user:"+user+":lang", "en").Result(); err != nil {
		return false, err
	}
	return rdb.HSetNX(ctx, "user:"+user, "created", time.Now().Unix()).Result()
}

// A20: the section is bounded below the TTL.
var client = &http.Client{Timeout: 60 * time.Second}

func fetch(ctx context.Context, rdb *redis.Client, url string) error {
	key, token := "fetch:"+url, rand.Text()
	ok, err := rdb.SetNX(ctx, key, token, 10*time.Second).Result()
	if err != nil || !ok {
		return errBusy
	}
	defer unlock.Run(context.WithoutCancel(ctx), rdb, []string{key}, token)
	ctx, cancel := context.WithTimeout(ctx, 8*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}
