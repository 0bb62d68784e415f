package main

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/locklint/locklint/internal/proof/harness"
)

// A bare Expire extends whoever's lock it is by then. Each is renewed to two hours.

const longer = 2 * time.Hour

func renewErr(ctx context.Context, rdb *redis.Client, id, token string) error {
	key := "renewErr:lock:" + id
	if !rdb.SetNX(ctx, key, token, lease).Val() {
		return errBusy
	}
	defer rdb.Eval(ctx, compareAndDelete, []string{key}, token)
	for range 2 {
		if err := rdb.PExpire(ctx, key, longer-time.Second).Err(); err != nil {
			return err
		}
	}
	return work(ctx)
}

func renewResult(ctx context.Context, rdb *redis.Client, id, token string) (bool, error) {
	key := "renewResult:lock:" + id
	if !rdb.SetNX(ctx, key, token, lease).Val() {
		return false, errBusy
	}
	defer rdb.Eval(ctx, compareAndDelete, []string{key}, token)
	for range 2 {
		ok, err := rdb.Expire(ctx, key, longer).Result()
		if err != nil || !ok {
			return ok, err
		}
	}
	return true, work(ctx)
}

func renewVal(ctx context.Context, rdb *redis.Client, id, token string) bool {
	key := "renewVal:lock:" + id
	if !rdb.SetNX(ctx, key, token, lease).Val() {
		return false
	}
	defer rdb.Eval(ctx, compareAndDelete, []string{key}, token)
	for range 2 {
		if rdb.ExpireAt(ctx, key, time.Now().Add(longer)).Val() {
			continue
		}
		return false
	}
	return work(ctx) == nil
}

func renewKept(ctx context.Context, rdb *redis.Client, id, token string) (bool, error) {
	key := "renewKept:lock:" + id
	if !rdb.SetNX(ctx, key, token, lease).Val() {
		return false, errBusy
	}
	defer rdb.Eval(ctx, compareAndDelete, []string{key}, token)
	for range 2 {
		cmd := rdb.Expire(ctx, key, longer)
		if err := cmd.Err(); err != nil {
			return false, err
		}
		ok := cmd.Val()
		if !ok {
			return false, nil
		}
	}
	return true, work(ctx)
}

func renewWords(ctx context.Context, rdb *redis.Client, id, token string) error {
	key := "renewWords:lock:" + id
	if !rdb.SetNX(ctx, key, token, lease).Val() {
		return errBusy
	}
	defer rdb.Eval(ctx, compareAndDelete, []string{key}, token)
	for range 2 {
		if err := rdb.Do(ctx, "EXPIRE", key, 7200).Err(); err != nil {
			return err
		}
	}
	return work(ctx)
}

// Beside the work, until it is done.
func renewBeside(ctx context.Context, rdb *redis.Client, id, token string) error {
	key := "renewBeside:lock:" + id
	if !rdb.SetNX(ctx, key, token, lease).Val() {
		return errBusy
	}
	defer rdb.Eval(ctx, compareAndDelete, []string{key}, token)
	renewed := make(chan error)
	go func() {
		for range 2 {
			renewed <- rdb.Expire(ctx, key, longer).Err()
		}
		close(renewed)
	}()
	for err := range renewed {
		if err != nil {
			return err
		}
	}
	return work(ctx)
}

func renewAssigned(ctx context.Context, rdb *redis.Client, id, token string) bool {
	key := "renewAssigned:lock:" + id
	if !rdb.SetNX(ctx, key, token, lease).Val() {
		return false
	}
	defer rdb.Eval(ctx, compareAndDelete, []string{key}, token)
	for range 2 {
		ok := rdb.Expire(ctx, key, longer).Val()
		if !ok {
			return false
		}
	}
	return work(ctx) == nil
}

func renewMillis(ctx context.Context, rdb *redis.Client, id, token string) (int64, error) {
	key := "renewMillis:lock:" + id
	if !rdb.SetNX(ctx, key, token, lease).Val() {
		return 0, errBusy
	}
	defer rdb.Eval(ctx, compareAndDelete, []string{key}, token)
	for range 2 {
		n, err := rdb.Do(ctx, "PEXPIRE", key, 7200000).Int64()
		if err != nil || n == 0 {
			return n, err
		}
	}
	return 1, work(ctx)
}

var renewForms = map[string]harness.Form{
	"renewErr": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(renewErr(ctx, s.Client(), s.ID, s.Token))
	},
	"renewResult": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(renewResult(ctx, s.Client(), s.ID, s.Token))
	},
	"renewVal": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(renewVal(ctx, s.Client(), s.ID, s.Token))
	},
	"renewKept": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(renewKept(ctx, s.Client(), s.ID, s.Token))
	},
	"renewWords": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(renewWords(ctx, s.Client(), s.ID, s.Token))
	},
	"renewBeside": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(renewBeside(ctx, s.Client(), s.ID, s.Token))
	},
	"renewAssigned": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(renewAssigned(ctx, s.Client(), s.ID, s.Token))
	},
	"renewMillis": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(renewMillis(ctx, s.Client(), s.ID, s.Token))
	},
}
