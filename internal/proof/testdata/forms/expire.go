package main

import (
	"context"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/locklint/locklint/internal/proof/harness"
)

// A create without expiry and a second command that sets it.

func result(ctx context.Context, rdb *redis.Client, id, token string, ttl time.Duration) error {
	key := "result:lock:" + id
	ok, err := rdb.SetNX(ctx, key, token, 0).Result()
	if err != nil {
		return err
	}
	if !ok {
		return errBusy
	}
	rdb.Expire(ctx, key, ttl)
	return work(ctx)
}

func assigned(ctx context.Context, rdb *redis.Client, id, token string) (ok bool, err error) {
	key := "assigned:lock:" + id
	ok, err = rdb.SetNX(ctx, key, token, 0).Result()
	if err != nil || !ok {
		return false, err
	}
	if err = rdb.Expire(ctx, key, lease).Err(); err != nil {
		return false, err
	}
	return ok, nil
}

func redeclared(ctx context.Context, rdb *redis.Client, id, token string) error {
	err := work(ctx)
	if err != nil {
		return err
	}
	key := "redeclared:lock:" + id
	ok, err := rdb.SetNX(ctx, key, token, 0).Result()
	if err != nil || !ok {
		return fmt.Errorf("ok %v, err %w", ok, err)
	}
	if err := rdb.Expire(ctx, key, lease).Err(); err != nil {
		return fmt.Errorf("expire: %w", err)
	}
	return work(ctx)
}

func errDropped(ctx context.Context, rdb *redis.Client, id, token string) bool {
	key := "errDropped:lock:" + id
	ok, _ := rdb.SetNX(ctx, key, token, 0).Result()
	if ok {
		_ = rdb.Expire(ctx, key, lease).Err()
		_ = work(ctx)
	}
	return ok
}

func val(ctx context.Context, rdb *redis.Client, id, token string) error {
	key := "val:lock:" + id
	if !rdb.SetNX(ctx, key, token, 0).Val() {
		return errBusy
	}
	rdb.Expire(ctx, key, lease)
	return work(ctx)
}

func valAnd(ctx context.Context, rdb *redis.Client, id, token string, on bool) bool {
	key := "valAnd:lock:" + id
	if on && rdb.SetNX(ctx, key, token, 0).Val() {
		rdb.Expire(ctx, key, lease)
		return work(ctx) == nil
	}
	return false
}

func valEqual(ctx context.Context, rdb *redis.Client, id, token string) bool {
	const won = true
	key := "valEqual:lock:" + id
	if rdb.SetNX(ctx, key, token, 0).Val() == won {
		rdb.Expire(ctx, key, lease)
		return true
	}
	return false
}

func valKept(ctx context.Context, rdb *redis.Client, id, token string) error {
	key := "valKept:lock:" + id
	won := rdb.SetNX(ctx, key, token, 0).Val()
	if !won {
		return errBusy
	}
	if err := rdb.PExpire(ctx, key, 3600500*time.Millisecond).Err(); err != nil {
		return err
	}
	return work(ctx)
}

func loop(ctx context.Context, rdb *redis.Client, id, token string, tries int) error {
	key := "loop:lock:" + id
	for !rdb.SetNX(ctx, key, token, 0).Val() {
		if tries--; tries == 0 {
			return errBusy
		}
	}
	rdb.Expire(ctx, key, lease)
	return work(ctx)
}

func choose(ctx context.Context, rdb *redis.Client, id, token string) error {
	key := "choose:lock:" + id
	ok, err := rdb.SetNX(ctx, key, token, 0).Result()
	switch {
	case err != nil:
		return err
	case ok:
		rdb.Expire(ctx, key, lease)
		return work(ctx)
	}
	return errBusy
}

func branches(ctx context.Context, rdb *redis.Client, id, token string) error {
	key := "branches:lock:" + id
	if ok, err := rdb.SetNX(ctx, key, token, 0).Result(); err != nil {
		return err
	} else if !ok {
		return errBusy
	}
	if err := rdb.Expire(ctx, key, lease).Err(); err != nil {
		return err
	}
	return work(ctx)
}

func either(ctx context.Context, rdb *redis.Client, id, token string) error {
	key := "either:lock:" + id
	if ok, err := rdb.SetNX(ctx, key, token, 0).Result(); err != nil || !ok {
		return errBusy
	}
	rdb.Expire(ctx, key, lease)
	return work(ctx)
}

func eitherRead(ctx context.Context, rdb *redis.Client, id, token string) error {
	key := "eitherRead:lock:" + id
	if ok, err := rdb.SetNX(ctx, key, token, 0).Result(); err != nil || !ok {
		return fmt.Errorf("ok %v, err %w", ok, err)
	}
	rdb.Expire(ctx, key, lease)
	return work(ctx)
}

func bothTrue(ctx context.Context, rdb *redis.Client, id, token string) error {
	key := "bothTrue:lock:" + id
	if ok, err := rdb.SetNX(ctx, key, token, 0).Result(); err == nil && ok {
		rdb.Expire(ctx, key, lease)
		return work(ctx)
	}
	return errBusy
}

func cmdKept(ctx context.Context, rdb *redis.Client, id, token string) error {
	key := "cmdKept:lock:" + id
	cmd := rdb.SetNX(ctx, key, token, 0)
	if err := cmd.Err(); err != nil {
		return err
	}
	if !cmd.Val() {
		return errBusy
	}
	rdb.Expire(ctx, key, lease)
	return work(ctx)
}

func cmdReturned(ctx context.Context, rdb *redis.Client, id, token string) (*redis.BoolCmd, error) {
	key := "cmdReturned:lock:" + id
	cmd := rdb.SetNX(ctx, key, token, 0)
	if !cmd.Val() {
		return cmd, errBusy
	}
	rdb.Expire(ctx, key, lease)
	return cmd, nil
}

func expireReturned(ctx context.Context, rdb *redis.Client, id, token string) (bool, error) {
	key := "expireReturned:lock:" + id
	ok, err := rdb.SetNX(ctx, key, token, 0).Result()
	if err != nil || !ok {
		return false, err
	}
	return rdb.Expire(ctx, key, lease).Result()
}

func errAssigned(ctx context.Context, rdb *redis.Client, id, token string) error {
	key := "errAssigned:lock:" + id
	ok, err := rdb.SetNX(ctx, key, token, 0).Result()
	if err != nil {
		return err
	}
	if !ok {
		return errBusy
	}
	err = rdb.Expire(ctx, key, lease).Err()
	return err
}

func until(ctx context.Context, rdb *redis.Client, id, token string, end time.Time) error {
	key := "until:lock:" + id
	if !rdb.SetNX(ctx, key, token, 0).Val() {
		return errBusy
	}
	rdb.ExpireAt(ctx, key, end)
	return work(ctx)
}

func fromNow(ctx context.Context, rdb *redis.Client, id, token string, ttl time.Duration) error {
	key := "fromNow:lock:" + id
	if !rdb.SetNX(ctx, key, token, 0).Val() {
		return errBusy
	}
	rdb.ExpireAt(ctx, key, time.Now().Add(ttl))
	return work(ctx)
}

func inGoroutine(ctx context.Context, rdb *redis.Client, id, token string) error {
	key := "inGoroutine:lock:" + id
	if !rdb.SetNX(ctx, key, token, 0).Val() {
		return errBusy
	}
	go rdb.Expire(ctx, key, lease)
	return work(ctx)
}

func touch(ctx context.Context, rdb *redis.Client, key string) error {
	return rdb.Expire(ctx, key, lease).Err()
}

func helper(ctx context.Context, rdb *redis.Client, id, token string) error {
	key := "helper:lock:" + id
	if !rdb.SetNX(ctx, key, token, 0).Val() {
		return errBusy
	}
	if err := touch(ctx, rdb, key); err != nil {
		return err
	}
	return work(ctx)
}

func options(ctx context.Context, rdb *redis.Client, id, token string) error {
	key := "options:lock:" + id
	if rdb.SetArgs(ctx, key, token, redis.SetArgs{Mode: "NX"}).Err() != nil {
		return errBusy
	}
	rdb.Expire(ctx, key, lease)
	return work(ctx)
}

func words(ctx context.Context, rdb *redis.Client, id, token string) error {
	key := "words:lock:" + id
	if rdb.Do(ctx, "SET", key, token, "NX").Err() != nil {
		return errBusy
	}
	rdb.Expire(ctx, key, lease)
	return work(ctx)
}

func wordNX(ctx context.Context, rdb *redis.Client, id, token string) error {
	key := "wordNX:lock:" + id
	if ok, err := rdb.Do(ctx, "SETNX", key, token).Bool(); err != nil || !ok {
		return fmt.Errorf("ok %v, err %w", ok, err)
	}
	rdb.Do(ctx, "EXPIRE", key, 3600)
	return work(ctx)
}

// A client that has no SetArgs.
type setter interface {
	SetNX(ctx context.Context, key string, value any, ttl time.Duration) *redis.BoolCmd
	Expire(ctx context.Context, key string, ttl time.Duration) *redis.BoolCmd
}

func narrow(ctx context.Context, c setter, id, token string) (bool, error) {
	key := "narrow:lock:" + id
	ok, err := c.SetNX(ctx, key, token, 0).Result()
	if err != nil || !ok {
		return ok, err
	}
	c.Expire(ctx, key, lease)
	return true, work(ctx)
}

func valPair(ctx context.Context, rdb *redis.Client, id, token string) (bool, int) {
	key := "valPair:lock:" + id
	ok, tries := rdb.SetNX(ctx, key, token, 0).Val(), 1
	if !ok {
		return false, tries
	}
	rdb.Expire(ctx, key, lease)
	return true, tries
}

func branchesRead(ctx context.Context, rdb *redis.Client, id, token string) (bool, error) {
	key := "branchesRead:lock:" + id
	if ok, err := rdb.SetNX(ctx, key, token, 0).Result(); err != nil {
		return ok, err
	} else if ok {
		rdb.Expire(ctx, key, lease)
		return ok, work(ctx)
	}
	return false, errBusy
}

func keepTTL(ctx context.Context, rdb *redis.Client, id, token string) (bool, error) {
	key := "keepTTL:lock:" + id
	ok, err := rdb.SetNX(ctx, key, token, redis.KeepTTL).Result()
	if err != nil || !ok {
		return ok, err
	}
	rdb.Expire(ctx, key, lease)
	return true, work(ctx)
}

func optionsKeep(ctx context.Context, rdb *redis.Client, id, token string) error {
	key := "optionsKeep:lock:" + id
	if rdb.SetArgs(ctx, key, token, redis.SetArgs{Mode: "NX", KeepTTL: true}).Err() != nil {
		return errBusy
	}
	rdb.Expire(ctx, key, lease)
	return work(ctx)
}

func wordSeconds(ctx context.Context, rdb *redis.Client, id, token string, secs int) (bool, error) {
	key := "wordSeconds:lock:" + id
	ok, err := rdb.SetNX(ctx, key, token, 0).Result()
	if err != nil || !ok {
		return ok, err
	}
	rdb.Do(ctx, "EXPIRE", key, secs)
	return true, work(ctx)
}

func workedOut(ctx context.Context, rdb *redis.Client, id, token string, secs int) (bool, error) {
	key := "workedOut:lock:" + id
	ok, err := rdb.SetNX(ctx, key, token, 0).Result()
	if err != nil || !ok {
		return ok, err
	}
	ttl := time.Duration(secs) * time.Second
	if _, err = rdb.Expire(ctx, key, ttl).Result(); err != nil {
		return false, err
	}
	return true, work(ctx)
}

var expireForms = map[string]harness.Form{
	"result": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(result(ctx, s.Client(), s.ID, s.Token, lease))
	},
	"assigned": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(assigned(ctx, s.Client(), s.ID, s.Token))
	},
	"redeclared": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(redeclared(ctx, s.Client(), s.ID, s.Token))
	},
	"errDropped": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(errDropped(ctx, s.Client(), s.ID, s.Token))
	},
	"val": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(val(ctx, s.Client(), s.ID, s.Token))
	},
	"valAnd": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(valAnd(ctx, s.Client(), s.ID, s.Token, true))
	},
	"valEqual": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(valEqual(ctx, s.Client(), s.ID, s.Token))
	},
	"valKept": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(valKept(ctx, s.Client(), s.ID, s.Token))
	},
	"loop": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(loop(ctx, s.Client(), s.ID, s.Token, 2))
	},
	"choose": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(choose(ctx, s.Client(), s.ID, s.Token))
	},
	"branches": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(branches(ctx, s.Client(), s.ID, s.Token))
	},
	"either": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(either(ctx, s.Client(), s.ID, s.Token))
	},
	"eitherRead": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(eitherRead(ctx, s.Client(), s.ID, s.Token))
	},
	"bothTrue": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(bothTrue(ctx, s.Client(), s.ID, s.Token))
	},
	"cmdKept": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(cmdKept(ctx, s.Client(), s.ID, s.Token))
	},
	"cmdReturned": func(ctx context.Context, s *harness.Scene) string {
		cmd, err := cmdReturned(ctx, s.Client(), s.ID, s.Token)
		return harness.Show(cmd.Val(), cmd.Err(), err)
	},
	"expireReturned": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(expireReturned(ctx, s.Client(), s.ID, s.Token))
	},
	"errAssigned": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(errAssigned(ctx, s.Client(), s.ID, s.Token))
	},
	"until": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(until(ctx, s.Client(), s.ID, s.Token, time.Now().Add(lease)))
	},
	"fromNow": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(fromNow(ctx, s.Client(), s.ID, s.Token, lease))
	},
	"inGoroutine": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(inGoroutine(ctx, s.Client(), s.ID, s.Token))
	},
	"helper": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(helper(ctx, s.Client(), s.ID, s.Token))
	},
	"options": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(options(ctx, s.Client(), s.ID, s.Token))
	},
	"words": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(words(ctx, s.Client(), s.ID, s.Token))
	},
	"wordNX": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(wordNX(ctx, s.Client(), s.ID, s.Token))
	},
	"narrow": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(narrow(ctx, s.Client(), s.ID, s.Token))
	},
	"valPair": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(valPair(ctx, s.Client(), s.ID, s.Token))
	},
	"branchesRead": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(branchesRead(ctx, s.Client(), s.ID, s.Token))
	},
	"keepTTL": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(keepTTL(ctx, s.Client(), s.ID, s.Token))
	},
	"optionsKeep": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(optionsKeep(ctx, s.Client(), s.ID, s.Token))
	},
	"wordSeconds": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(wordSeconds(ctx, s.Client(), s.ID, s.Token, 3600))
	},
	"workedOut": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(workedOut(ctx, s.Client(), s.ID, s.Token, 3600))
	},
}
