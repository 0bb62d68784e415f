// Package release frees locks by a bare Del: every way to look at the answer, and
// every place the token can come from.
package release

import (
	"context"
	"errors"
	"log"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"
)

const lease = time.Minute

var errBusy = errors.New("busy")

func work(ctx context.Context) error { return ctx.Err() }

func deferred(ctx context.Context, rdb *redis.Client, id, token string) error {
	key := "deferred:lock:" + id
	if !rdb.SetNX(ctx, key, token, lease).Val() {
		return errBusy
	}
	defer rdb.Del(ctx, key) // whoever holds it
	return work(ctx)
}

func early(ctx context.Context, rdb *redis.Client, id, token string) error {
	key := "early:lock:" + id
	ok, err := rdb.SetNX(ctx, key, token, lease).Result()
	defer rdb.Unlink(ctx, key)
	if err != nil || !ok {
		return errBusy
	}
	return work(ctx)
}

func errOf(ctx context.Context, rdb *redis.Client, id, token string) error {
	key := "err:lock:" + id
	if !rdb.SetNX(ctx, key, token, lease).Val() {
		return errBusy
	}
	if err := work(ctx); err != nil {
		_ = rdb.Del(ctx, key)
		return err
	}
	return rdb.Del(ctx, key).Err()
}

func resultOf(ctx context.Context, rdb *redis.Client, id, token string) (int64, error) {
	key := "result:lock:" + id
	if !rdb.SetNX(ctx, key, token, lease).Val() {
		return 0, errBusy
	}
	_ = work(ctx)
	return rdb.Del(ctx, key).Result()
}

func valOf(ctx context.Context, rdb *redis.Client, id, token string) int64 {
	key := "val:lock:" + id
	if !rdb.SetNX(ctx, key, token, lease).Val() {
		return 0
	}
	_ = work(ctx)
	n := rdb.Del(ctx, key).Val()
	return n
}

func valIn(ctx context.Context, rdb *redis.Client, id, token string) {
	key := "in:lock:" + id
	if !rdb.SetNX(ctx, key, token, lease).Val() {
		return
	}
	_ = work(ctx)
	if rdb.Del(ctx, key).Val() == 0 {
		log.Print("was gone")
	}
}

func keptCmd(ctx context.Context, rdb *redis.Client, id, token string) error {
	key := "kept:lock:" + id
	if !rdb.SetNX(ctx, key, token, lease).Val() {
		return errBusy
	}
	_ = work(ctx)
	cmd := rdb.Del(ctx, key)
	if cmd.Err() != nil {
		return cmd.Err()
	}
	n, err := cmd.Result()
	log.Print(n)
	return err
}

// In literals and goroutines.
func closure(ctx context.Context, rdb *redis.Client, id, token string) (func() error, error) {
	key := "closure:lock:" + id
	ok, err := rdb.SetNX(ctx, key, token, lease).Result()
	if err != nil || !ok {
		return nil, errBusy
	}
	return func() error { return rdb.Del(context.WithoutCancel(ctx), key).Err() }, nil
}

// Several keys: the others are deleted as before, then the lock is released.
func several(ctx context.Context, rdb *redis.Client, id, token string) error {
	key := "several:lock:" + id
	if !rdb.SetNX(ctx, key, token, lease).Val() {
		return errBusy
	}
	_ = work(ctx)
	rdb.Del(ctx, "several:rows:"+id, key, "several:state:"+id)
	return nil
}

func severalDeferred(ctx context.Context, rdb *redis.Client, id, token string) error {
	key := "severald:lock:" + id
	if !rdb.SetNX(ctx, key, token, lease).Val() {
		return errBusy
	}
	defer rdb.Del(ctx, key, "severald:rows:"+id)
	return work(ctx)
}

func severalErr(ctx context.Context, rdb *redis.Client, id, token string) error {
	key := "severale:lock:" + id
	if !rdb.SetNX(ctx, key, token, lease).Val() {
		return errBusy
	}
	_ = work(ctx)
	return rdb.Del(ctx, "severale:rows:"+id, key).Err()
}

// The token is made inside the call that creates the key.
func inline(ctx context.Context, rdb *redis.Client, id string, newToken func() string) error {
	key := "inline:lock:" + id
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

func (m *handle) Unlock(ctx context.Context) error {
	return m.rdb.Del(ctx, m.key).Err()
}

// A parameter.
func acquire(ctx context.Context, rdb *redis.Client, id, token string) bool {
	return rdb.SetNX(ctx, "param:lock:"+id, token, lease).Val()
}

func release(ctx context.Context, rdb *redis.Client, id, token string) {
	rdb.Del(ctx, "param:lock:"+id)
}

// Raw words.
func rawDel(ctx context.Context, rdb *redis.Client, id, token string) error {
	key := "raw:lock:" + id
	if rdb.Do(ctx, "SET", key, token, "NX", "PX", 30000).Err() != nil {
		return errBusy
	}
	defer rdb.Do(ctx, "DEL", key)
	return work(ctx)
}

// The answer is returned, or kept, in an expression.
func delReturned(ctx context.Context, rdb *redis.Client, id, token string) int64 {
	key := "delReturned:lock:" + id
	if !rdb.SetNX(ctx, key, token, lease).Val() {
		return -1
	}
	_ = work(ctx)
	return rdb.Del(ctx, key).Val()
}

func delAsked(ctx context.Context, rdb *redis.Client, id, token string) (bool, error) {
	key := "delAsked:lock:" + id
	if !rdb.SetNX(ctx, key, token, lease).Val() {
		return false, errBusy
	}
	err := work(ctx)
	return rdb.Del(ctx, key).Val() == 1, err
}

func delCompared(ctx context.Context, rdb *redis.Client, id, token string) error {
	key := "delCompared:lock:" + id
	if !rdb.SetNX(ctx, key, token, lease).Val() {
		return errBusy
	}
	_ = work(ctx)
	mine := rdb.Del(ctx, key).Val() > 0
	if !mine {
		return errBusy
	}
	return nil
}

// The token is made with the words of the command, before it is sent.
func wordsBefore(ctx context.Context, rdb *redis.Client, id string) error {
	key := "words:lock:" + id
	args := []any{"SET", key, strconv.FormatInt(time.Now().UnixNano(), 36), "NX", "PX", 60000}
	for {
		err := rdb.Do(ctx, args...).Err()
		if err == nil {
			break
		}
		if !errors.Is(err, redis.Nil) {
			return err
		}
	}
	defer rdb.Del(ctx, key)
	return work(ctx)
}
