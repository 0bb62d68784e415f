package main

import (
	"context"
	"crypto/rand"
	"os"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/locklint/locklint/internal/proof/harness"
)

// A value that does not tell holders apart, or that nobody keeps.

func threeFaults(ctx context.Context, rdb *redis.Client, id string) error {
	key := "threeFaults:lock:" + id
	ok, err := rdb.SetNX(ctx, key, "locked", 0).Result()
	if err != nil || !ok {
		return errBusy
	}
	rdb.Expire(ctx, key, lease)
	defer rdb.Del(ctx, key)
	return work(ctx)
}

func comparedConstant(ctx context.Context, rdb *redis.Client, id string) (int64, error) {
	const held = "held"
	key := "comparedConstant:lock:" + id
	if !rdb.SetNX(ctx, key, held, lease).Val() {
		return 0, errBusy
	}
	_ = work(ctx)
	return rdb.Eval(ctx, compareAndDelete, []string{key}, held).Int64()
}

func host(ctx context.Context, rdb *redis.Client, id string) error {
	key := "host:lock:" + id
	owner, _ := os.Hostname()
	if !rdb.SetNX(ctx, key, owner, lease).Val() {
		return errBusy
	}
	defer rdb.Del(ctx, key)
	return work(ctx)
}

// A helper runs the literal that acquires.
func attempt(f func() (bool, error)) (ok bool, err error) {
	for range 2 {
		if ok, err = f(); ok || err != nil {
			break
		}
	}
	return ok, err
}

func calledBack(ctx context.Context, rdb *redis.Client, id string) error {
	key := "calledBack:lock:" + id
	ok, err := attempt(func() (bool, error) { return rdb.SetNX(ctx, key, rand.Text(), lease).Result() })
	if err != nil {
		return err
	}
	if !ok {
		return errBusy
	}
	defer rdb.Del(ctx, key)
	return work(ctx)
}

// The value is part of the key.
func partOfKey(ctx context.Context, rdb *redis.Client, id string) error {
	if !rdb.SetNX(ctx, "partOfKey:lock:"+id, id, lease).Val() {
		return errBusy
	}
	defer rdb.Del(ctx, "partOfKey:lock:"+id)
	return work(ctx)
}

func clock(ctx context.Context, rdb *redis.Client, id string, tries int) error {
	key := "clock:lock:" + id
	for {
		ok, err := rdb.SetNX(ctx, key, strconv.FormatInt(time.Now().Unix(), 10), lease).Result()
		if err != nil {
			return err
		}
		if ok {
			break
		}
		if tries--; tries == 0 {
			return errBusy
		}
	}
	defer rdb.Del(ctx, key)
	return work(ctx)
}

func eachOf(ctx context.Context, rdb *redis.Client, ids []string) (held int) {
	for _, id := range ids {
		key := "eachOf:lock:" + id
		if rdb.SetNX(ctx, key, 1, lease).Val() {
			_ = work(ctx)
			rdb.Del(ctx, key)
			held++
		}
	}
	return held
}

func lostToken(ctx context.Context, rdb *redis.Client, id string) error {
	key := "lostToken:lock:" + id
	ok, err := rdb.SetNX(ctx, key, time.Now().UnixNano(), lease).Result()
	if err != nil || !ok {
		return errBusy
	}
	defer func() { _ = rdb.Del(ctx, key).Err() }()
	return work(ctx)
}

const compareAndExpire = `if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("pexpire", KEYS[1], ARGV[2]) end return 0`

func renewedConstant(ctx context.Context, rdb *redis.Client, id string) error {
	key := "renewedConstant:lock:" + id
	if !rdb.SetNX(ctx, key, "me", lease).Val() {
		return errBusy
	}
	defer rdb.Eval(ctx, compareAndDelete, []string{key}, "me")
	for range 2 {
		if err := rdb.Eval(ctx, compareAndExpire, []string{key}, "me", longer.Milliseconds()).Err(); err != nil {
			return err
		}
	}
	return work(ctx)
}

func givenUp(ctx context.Context, rdb *redis.Client, id string) error {
	key := "givenUp:lock:" + id
	ok, err := rdb.SetNX(ctx, key, "1", 0).Result()
	if err != nil || !ok {
		return errBusy
	}
	if err := rdb.Expire(ctx, key, lease).Err(); err != nil {
		rdb.Del(ctx, key)
		return err
	}
	defer rdb.Del(ctx, key)
	return work(ctx)
}

var valueForms = map[string]harness.Form{
	"threeFaults": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(threeFaults(ctx, s.Client(), s.ID))
	},
	"comparedConstant": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(comparedConstant(ctx, s.Client(), s.ID))
	},
	"host": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(host(ctx, s.Client(), s.ID))
	},
	"calledBack": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(calledBack(ctx, s.Client(), s.ID))
	},
	"partOfKey": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(partOfKey(ctx, s.Client(), s.ID))
	},
	"clock": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(clock(ctx, s.Client(), s.ID, 2))
	},
	"eachOf": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(eachOf(ctx, s.Client(), []string{s.ID}))
	},
	"lostToken": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(lostToken(ctx, s.Client(), s.ID))
	},
	"renewedConstant": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(renewedConstant(ctx, s.Client(), s.ID))
	},
	"givenUp": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(givenUp(ctx, s.Client(), s.ID))
	},
}
