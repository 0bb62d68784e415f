// Package nofix holds faults that no rewrite answers: the message says what to do.
package nofix

import (
	"context"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

var errBusy = errors.New("busy")

func work(ctx context.Context) error { return ctx.Err() }

const compareAndDelete = `if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) end return 0`

// No expiry anywhere: none is guessed.
func never(ctx context.Context, rdb *redis.Client, id, token string) error {
	key := "never:lock:" + id
	if !rdb.SetNX(ctx, key, token, 0).Val() {
		return errBusy
	}
	defer rdb.Eval(ctx, compareAndDelete, []string{key}, token)
	return work(ctx)
}

// EXPIRE makes one second of this, SET would not.
func short(ctx context.Context, rdb *redis.Client, id, token string) error {
	key := "short:lock:" + id
	if !rdb.SetNX(ctx, key, token, 0).Val() {
		return errBusy
	}
	rdb.Expire(ctx, key, 200*time.Millisecond)
	return work(ctx)
}

// The value is read: people look at who holds the lock.
func shown(ctx context.Context, rdb *redis.Client, id string) error {
	key := "shown:lock:" + id
	if !rdb.SetNX(ctx, key, "job", time.Minute).Val() {
		return errors.New("held by " + rdb.Get(ctx, key).Val())
	}
	defer rdb.Del(ctx, key)
	return work(ctx)
}

// The token would have to travel from one to the other, over an exported method.
type Locker struct{ rdb *redis.Client }

func (l *Locker) Acquire(ctx context.Context, id string) (bool, error) {
	return l.rdb.SetNX(ctx, "travel:lock:"+id, "1", time.Minute).Result()
}

func (l *Locker) Release(ctx context.Context, id string) error {
	return l.rdb.Del(ctx, "travel:lock:"+id).Err()
}

// Two expiries for one create.
func either(ctx context.Context, rdb *redis.Client, id, token string, long bool) error {
	key := "either:lock:" + id
	if !rdb.SetNX(ctx, key, token, 0).Val() {
		return errBusy
	}
	if long {
		rdb.Expire(ctx, key, time.Hour)
	} else {
		rdb.Expire(ctx, key, time.Minute)
	}
	return work(ctx)
}

// The value is part of the key, and shown to people.
func partOfKey(ctx context.Context, rdb *redis.Client, order string) error {
	key := "order:lock:" + order
	if !rdb.SetNX(ctx, key, order, time.Minute).Val() {
		return errors.New("busy with " + rdb.Get(ctx, key).Val())
	}
	defer rdb.Del(ctx, key)
	return work(ctx)
}

// One of the two releases compares with the part of the key.
func partCompared(ctx context.Context, rdb *redis.Client, order string) error {
	key := "part:lock:" + order
	if !rdb.SetNX(ctx, key, order, time.Minute).Val() {
		return errBusy
	}
	if err := work(ctx); err != nil {
		rdb.Eval(ctx, compareAndDelete, []string{key}, order)
		return err
	}
	return rdb.Del(ctx, key).Err()
}

// Who calls Exec counts the answers.
func listed(ctx context.Context, rdb *redis.Client, id, token string) ([]redis.Cmder, error) {
	lockKey := "listed:lock:" + id
	pipe := rdb.TxPipeline()
	pipe.SetNX(ctx, lockKey, token, 0)
	pipe.Expire(ctx, lockKey, time.Minute)
	defer rdb.Eval(ctx, compareAndDelete, []string{lockKey}, token)
	return pipe.Exec(ctx)
}

// The owner is compared in two steps, with the part of the key.
func partRaced(ctx context.Context, rdb *redis.Client, order string) error {
	key := "raced:lock:" + order
	if !rdb.SetNX(ctx, key, order, time.Minute).Val() {
		return errBusy
	}
	err := work(ctx)
	if rdb.Get(ctx, key).Val() == order {
		rdb.Del(ctx, key)
	}
	return err
}

// Whether it is asked at all depends on what stands before.
func later(ctx context.Context, rdb *redis.Client, id, token string, keep bool) bool {
	key := "asked:lock:" + id
	if !rdb.SetNX(ctx, key, token, time.Minute).Val() {
		return false
	}
	_ = work(ctx)
	return keep || rdb.Del(ctx, key).Val() == 1
}

// A command is returned: its words are lost with a script.
func cmd(ctx context.Context, rdb *redis.Client, id, token string) *redis.IntCmd {
	key := "cmd:lock:" + id
	if !rdb.SetNX(ctx, key, token, time.Minute).Val() {
		return nil
	}
	_ = work(ctx)
	return rdb.Del(ctx, key)
}

// An interface method takes no token.
type remover interface{ Del(keys ...string) error }

func behind(ctx context.Context, rdb *redis.Client, r remover, id, token string) error {
	key := "behind:lock:" + id
	if !rdb.SetNX(ctx, key, token, time.Minute).Val() {
		return errBusy
	}
	_ = work(ctx)
	return r.Del(key)
}

// The helper deletes another key with it, or has a word of its own for the error.
type shelf struct{ rdb *redis.Client }

func (s *shelf) Remove(ctx context.Context, keys ...string) error {
	return s.rdb.Del(ctx, keys...).Err()
}

func (s *shelf) Discard(ctx context.Context, key string) error {
	return errors.Join(errBusy, s.rdb.Del(ctx, key).Err())
}

func clear(ctx context.Context, s *shelf, id, token string) error {
	key := "clear:lock:" + id
	if !s.rdb.SetNX(ctx, key, token, time.Minute).Val() {
		return errBusy
	}
	_ = work(ctx)
	return s.Remove(ctx, key, "rows:"+id)
}

func toss(ctx context.Context, s *shelf, id, token string) error {
	key := "toss:lock:" + id
	if !s.rdb.SetNX(ctx, key, token, time.Minute).Val() {
		return errBusy
	}
	_ = work(ctx)
	return s.Discard(ctx, key)
}
