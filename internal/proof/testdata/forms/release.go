package main

import (
	"context"
	"errors"

	"github.com/redis/go-redis/v9"

	"github.com/locklint/locklint/internal/proof/harness"
)

// A bare Del frees whoever holds the lock by then.

func deferred(ctx context.Context, rdb *redis.Client, id, token string) error {
	key := "deferred:lock:" + id
	if !rdb.SetNX(ctx, key, token, lease).Val() {
		return errBusy
	}
	defer rdb.Del(ctx, key)
	return work(ctx)
}

func deferredClosure(ctx context.Context, rdb *redis.Client, id, token string) (err error) {
	key := "deferredClosure:lock:" + id
	if !rdb.SetNX(ctx, key, token, lease).Val() {
		return errBusy
	}
	defer func() {
		if e := rdb.Del(ctx, key).Err(); e != nil {
			err = e
		}
	}()
	return work(ctx)
}

func beforeCheck(ctx context.Context, rdb *redis.Client, id, token string) error {
	key := "beforeCheck:lock:" + id
	ok, err := rdb.SetNX(ctx, key, token, lease).Result()
	defer rdb.Unlink(ctx, key)
	if err != nil {
		return err
	}
	if !ok {
		return errBusy
	}
	return work(ctx)
}

func direct(ctx context.Context, rdb *redis.Client, id, token string) {
	key := "direct:lock:" + id
	if !rdb.SetNX(ctx, key, token, lease).Val() {
		return
	}
	_ = work(ctx)
	rdb.Del(ctx, key)
}

func delErr(ctx context.Context, rdb *redis.Client, id, token string) error {
	key := "delErr:lock:" + id
	if !rdb.SetNX(ctx, key, token, lease).Val() {
		return errBusy
	}
	if err := work(ctx); err != nil {
		_ = rdb.Del(ctx, key)
		return err
	}
	return rdb.Del(ctx, key).Err()
}

func delFailed(ctx context.Context, rdb *redis.Client, id, token string) error {
	key := "delFailed:lock:" + id
	if !rdb.SetNX(ctx, key, token, lease).Val() {
		return errBusy
	}
	if err := errors.Join(work(ctx), errors.New("failed")); err != nil {
		_ = rdb.Del(ctx, key)
		return err
	}
	return rdb.Del(ctx, key).Err()
}

func delResult(ctx context.Context, rdb *redis.Client, id, token string) (int64, error) {
	key := "delResult:lock:" + id
	if !rdb.SetNX(ctx, key, token, lease).Val() {
		return 0, errBusy
	}
	_ = work(ctx)
	return rdb.Del(ctx, key).Result()
}

func delVal(ctx context.Context, rdb *redis.Client, id, token string) int64 {
	key := "delVal:lock:" + id
	if !rdb.SetNX(ctx, key, token, lease).Val() {
		return -1
	}
	_ = work(ctx)
	n := rdb.Del(ctx, key).Val()
	return n
}

func delCond(ctx context.Context, rdb *redis.Client, id, token string) string {
	key := "delCond:lock:" + id
	if !rdb.SetNX(ctx, key, token, lease).Val() {
		return "busy"
	}
	_ = work(ctx)
	if rdb.Del(ctx, key).Val() == 0 {
		return "gone"
	}
	return "freed"
}

func delKept(ctx context.Context, rdb *redis.Client, id, token string) (int64, error) {
	key := "delKept:lock:" + id
	if !rdb.SetNX(ctx, key, token, lease).Val() {
		return 0, errBusy
	}
	_ = work(ctx)
	cmd := rdb.Del(ctx, key)
	if cmd.Err() != nil {
		return -1, cmd.Err()
	}
	n, err := cmd.Result()
	return n, err
}

func closure(ctx context.Context, rdb *redis.Client, id, token string) (func() error, error) {
	key := "closure:lock:" + id
	ok, err := rdb.SetNX(ctx, key, token, lease).Result()
	if err != nil || !ok {
		return nil, errBusy
	}
	return func() error { return rdb.Del(context.WithoutCancel(ctx), key).Err() }, nil
}

func severalKeys(ctx context.Context, rdb *redis.Client, id, token string) error {
	key := "severalKeys:lock:" + id
	if !rdb.SetNX(ctx, key, token, lease).Val() {
		return errBusy
	}
	rdb.MSet(ctx, "severalKeys:rows:"+id, 1, "severalKeys:state:"+id, 1)
	rdb.Del(ctx, "severalKeys:rows:"+id, key, "severalKeys:state:"+id)
	return nil
}

func severalDeferred(ctx context.Context, rdb *redis.Client, id, token string) error {
	key := "severalDeferred:lock:" + id
	if !rdb.SetNX(ctx, key, token, lease).Val() {
		return errBusy
	}
	defer rdb.Del(ctx, key, "severalDeferred:rows:"+id)
	rdb.Set(ctx, "severalDeferred:rows:"+id, 1, 0)
	return work(ctx)
}

// The answer is asked for where it is returned.
func delAsked(ctx context.Context, rdb *redis.Client, id, token string) (bool, error) {
	key := "delAsked:lock:" + id
	if !rdb.SetNX(ctx, key, token, lease).Val() {
		return false, errBusy
	}
	err := work(ctx)
	return rdb.Del(ctx, key).Val() == 1, err
}

// The locks of a slice.
func delSpread(ctx context.Context, rdb *redis.Client, ids []string) error {
	var held []string
	for _, id := range ids {
		key := "delSpread:lock:" + id
		if !rdb.SetNX(ctx, key, "1", lease).Val() {
			break
		}
		held = append(held, key)
	}
	if len(held) == 0 {
		return errBusy
	}
	defer rdb.Del(ctx, held...)
	return work(ctx)
}

// A helper hands on the keys it is given.
type shelf struct{ rdb *redis.Client }

func (s *shelf) Del(ctx context.Context, keys ...string) (int64, error) {
	return s.rdb.Del(ctx, keys...).Result()
}

func delHanded(ctx context.Context, s *shelf, id, token string) (int64, error) {
	key := "delHanded:lock:" + id
	if !s.rdb.SetNX(ctx, key, token, lease).Val() {
		return 0, errBusy
	}
	_ = work(ctx)
	return s.Del(ctx, key)
}

// Two locks by one command, and what is none.
func severalLocks(ctx context.Context, rdb *redis.Client, id, token string) error {
	key, second := "severalLocks:lock:"+id, "second:lock:"+id
	if !rdb.SetNX(ctx, key, token, lease).Val() {
		return errBusy
	}
	if !rdb.SetNX(ctx, second, "1", lease).Val() {
		rdb.Del(ctx, key)
		return errBusy
	}
	_ = work(ctx)
	return rdb.Del(ctx, key, "severalLocks:rows:"+id, second).Err()
}

func severalErr(ctx context.Context, rdb *redis.Client, id, token string) error {
	key := "severalErr:lock:" + id
	if !rdb.SetNX(ctx, key, token, lease).Val() {
		return errBusy
	}
	rdb.Set(ctx, "severalErr:rows:"+id, 1, 0)
	return rdb.Del(ctx, "severalErr:rows:"+id, key).Err()
}

func inCall(ctx context.Context, rdb *redis.Client, id string, newToken func() string) error {
	key := "inCall:lock:" + id
	if !rdb.SetNX(ctx, key, newToken(), lease).Val() {
		return errBusy
	}
	defer rdb.Del(ctx, key)
	return work(ctx)
}

// A handle for one lock.
type handle struct {
	rdb        *redis.Client
	key, token string
}

func (h *handle) Lock(ctx context.Context) (bool, error) {
	return h.rdb.SetNX(ctx, h.key, h.token, lease).Result()
}

func (h *handle) Unlock(ctx context.Context) error {
	return h.rdb.Del(ctx, h.key).Err()
}

// A parameter.
func acquire(ctx context.Context, rdb *redis.Client, id, token string) bool {
	return rdb.SetNX(ctx, "parameter:lock:"+id, token, lease).Val()
}

func release(ctx context.Context, rdb *redis.Client, id, token string) {
	rdb.Del(ctx, "parameter:lock:"+id)
}

func wordDel(ctx context.Context, rdb *redis.Client, id, token string) error {
	key := "wordDel:lock:" + id
	if rdb.Do(ctx, "SET", key, token, "NX", "PX", 3600000).Err() != nil {
		return errBusy
	}
	defer rdb.Do(ctx, "DEL", key)
	return work(ctx)
}

func expireZero(ctx context.Context, rdb *redis.Client, id, token string) (bool, error) {
	key := "expireZero:lock:" + id
	if !rdb.SetNX(ctx, key, token, lease).Val() {
		return false, errBusy
	}
	_ = work(ctx)
	return rdb.Expire(ctx, key, 0).Result()
}

func queuedDel(ctx context.Context, rdb *redis.Client, id, token string) error {
	key := "queuedDel:lock:" + id
	if !rdb.SetNX(ctx, key, token, lease).Val() {
		return errBusy
	}
	pipe := rdb.Pipeline()
	pipe.Set(ctx, "queuedDel:done:"+id, 1, lease)
	pipe.Del(ctx, key)
	_, err := pipe.Exec(ctx)
	return err
}

func severalBlank(ctx context.Context, rdb *redis.Client, id, token string) error {
	key := "severalBlank:lock:" + id
	if !rdb.SetNX(ctx, key, token, lease).Val() {
		return errBusy
	}
	rdb.Set(ctx, "severalBlank:rows:"+id, 1, 0)
	_ = rdb.Del(ctx, key, "severalBlank:rows:"+id).Err()
	return work(ctx)
}

var releaseForms = map[string]harness.Form{
	"deferred": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(deferred(ctx, s.Client(), s.ID, s.Token))
	},
	"deferredClosure": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(deferredClosure(ctx, s.Client(), s.ID, s.Token))
	},
	"beforeCheck": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(beforeCheck(ctx, s.Client(), s.ID, s.Token))
	},
	"direct": func(ctx context.Context, s *harness.Scene) string {
		direct(ctx, s.Client(), s.ID, s.Token)
		return harness.Show()
	},
	"delErr": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(delErr(ctx, s.Client(), s.ID, s.Token))
	},
	"delFailed": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(delFailed(ctx, s.Client(), s.ID, s.Token))
	},
	"delResult": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(delResult(ctx, s.Client(), s.ID, s.Token))
	},
	"delVal": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(delVal(ctx, s.Client(), s.ID, s.Token))
	},
	"delCond": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(delCond(ctx, s.Client(), s.ID, s.Token))
	},
	"delKept": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(delKept(ctx, s.Client(), s.ID, s.Token))
	},
	"closure": func(ctx context.Context, s *harness.Scene) string {
		free, err := closure(ctx, s.Client(), s.ID, s.Token)
		if err != nil {
			return harness.Show(err)
		}
		return harness.Show(free())
	},
	"severalKeys": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(severalKeys(ctx, s.Client(), s.ID, s.Token))
	},
	"severalDeferred": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(severalDeferred(ctx, s.Client(), s.ID, s.Token))
	},
	"delSpread": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(delSpread(ctx, s.Client(), []string{s.ID}))
	},
	"delHanded": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(delHanded(ctx, &shelf{s.Client()}, s.ID, s.Token))
	},
	"delAsked": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(delAsked(ctx, s.Client(), s.ID, s.Token))
	},
	"severalLocks": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(severalLocks(ctx, s.Client(), s.ID, s.Token))
	},
	"severalErr": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(severalErr(ctx, s.Client(), s.ID, s.Token))
	},
	"inCall": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(inCall(ctx, s.Client(), s.ID, func() string { return s.Token }))
	},
	"handle": func(ctx context.Context, s *harness.Scene) string {
		h := &handle{s.Client(), "handle:lock:" + s.ID, s.Token}
		if ok, err := h.Lock(ctx); err != nil || !ok {
			return harness.Show(ok, err)
		}
		return harness.Show(h.Unlock(ctx))
	},
	"parameter": func(ctx context.Context, s *harness.Scene) string {
		rdb := s.Client()
		if !acquire(ctx, rdb, s.ID, s.Token) {
			return harness.Show("busy")
		}
		release(ctx, rdb, s.ID, s.Token)
		return harness.Show()
	},
	"wordDel": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(wordDel(ctx, s.Client(), s.ID, s.Token))
	},
	"expireZero": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(expireZero(ctx, s.Client(), s.ID, s.Token))
	},
	"queuedDel": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(queuedDel(ctx, s.Client(), s.ID, s.Token))
	},
	"severalBlank": func(ctx context.Context, s *harness.Scene) string {
		return harness.Show(severalBlank(ctx, s.Client(), s.ID, s.Token))
	},
}
