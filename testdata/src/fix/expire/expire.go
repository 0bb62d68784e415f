// Package expire creates a key without an expiry and expires it with a second
// command: every way to look at the answer.
package expire

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	"github.com/redis/go-redis/v9"
)

const lease = 30 * time.Second

var errBusy = errors.New("busy")

func work(ctx context.Context) error {
	log.Print("working")
	return ctx.Err()
}

// The answer as two values.
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

// Variables that exist already.
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

// One of the two is new.
func mixed(ctx context.Context, rdb *redis.Client, id, token string) error {
	err := work(ctx)
	if err != nil {
		return err
	}
	key := "mixed:lock:" + id
	ok, err := rdb.SetNX(ctx, key, token, 0).Result()
	if err != nil || !ok {
		return errBusy
	}
	if err := rdb.Expire(ctx, key, lease).Err(); err != nil {
		log.Printf("expire %s: %v", key, err)
		return fmt.Errorf("expire: %w", err)
	}
	return work(ctx)
}

// The error is dropped.
func onlyOK(ctx context.Context, rdb *redis.Client, id, token string) {
	key := "only:lock:" + id
	ok, _ := rdb.SetNX(ctx, key, token, 0).Result()
	if ok {
		_ = rdb.Expire(ctx, key, lease).Err()
		_ = work(ctx)
	}
}

// The error alone is looked at: the losers go on too.
func onlyErr(ctx context.Context, rdb *redis.Client, lockKey, token string) error {
	_, err := rdb.SetNX(ctx, lockKey, token, 0).Result()
	if err != nil {
		return err
	}
	defer rdb.Eval(ctx, compareAndDelete, []string{lockKey}, token)
	if err := rdb.Expire(ctx, lockKey, lease).Err(); err != nil {
		return err
	}
	return work(ctx)
}

const compareAndDelete = `if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) end return 0`

// Val, in a condition and under a not.
func val(ctx context.Context, rdb *redis.Client, id, token string) error {
	key := "val:lock:" + id
	if !rdb.SetNX(ctx, key, token, 0).Val() {
		return errBusy
	}
	rdb.Expire(ctx, key, lease)
	return work(ctx)
}

func valBranch(ctx context.Context, rdb *redis.Client, id, token string, on bool) {
	key := "branch:lock:" + id
	if on && rdb.SetNX(ctx, key, token, 0).Val() {
		rdb.Expire(ctx, key, lease)
		_ = work(ctx)
	}
}

func valKept(ctx context.Context, rdb *redis.Client, id, token string, want bool) error {
	key := "kept:lock:" + id
	won := rdb.SetNX(ctx, key, token, 0).Val()
	if !won {
		return errBusy
	}
	if err := rdb.PExpire(ctx, key, 1500*time.Millisecond).Err(); err != nil {
		return err
	}
	return work(ctx)
}

// A loop that waits.
func loop(ctx context.Context, rdb *redis.Client, id, token string) error {
	key := "loop:lock:" + id
	for !rdb.SetNX(ctx, key, token, 0).Val() {
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	rdb.Expire(ctx, key, lease)
	return work(ctx)
}

// A switch.
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

// In the statement of an if.
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

// The branch reads the error: only SetNX keeps it nil where the lock is held.
func eitherRead(ctx context.Context, rdb *redis.Client, id, token string) error {
	key := "read:lock:" + id
	if ok, err := rdb.SetNX(ctx, key, token, 0).Result(); err != nil || !ok {
		return fmt.Errorf("busy or down: %w", err)
	}
	rdb.Expire(ctx, key, lease)
	return work(ctx)
}

// The command is kept and asked later.
func kept(ctx context.Context, rdb *redis.Client, id, token string) error {
	key := "cmd:lock:" + id
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

// The command is kept and given away: only the same command will do.
func handedOn(ctx context.Context, rdb *redis.Client, id, token string) (*redis.BoolCmd, error) {
	lockKey := "handed:lock:" + id
	cmd := rdb.SetNX(ctx, lockKey, token, 0)
	if !cmd.Val() {
		return cmd, errBusy
	}
	rdb.Expire(ctx, lockKey, lease)
	return cmd, nil
}

// The last statement of the acquiring function.
func tryLock(ctx context.Context, rdb *redis.Client, id, token string) (bool, error) {
	key := "try:lock:" + id
	ok, err := rdb.SetNX(ctx, key, token, 0).Result()
	if err != nil || !ok {
		return false, err
	}
	return rdb.Expire(ctx, key, lease).Result()
}

func lockErr(ctx context.Context, rdb *redis.Client, id, token string) error {
	key := "err:lock:" + id
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

// Points in time.
func until(ctx context.Context, rdb *redis.Client, id, token string, end time.Time) error {
	key := "until:lock:" + id
	if !rdb.SetNX(ctx, key, token, 0).Val() {
		return errBusy
	}
	rdb.ExpireAt(ctx, key, end)
	return work(ctx)
}

func fromNow(ctx context.Context, rdb *redis.Client, id, token string, ttl time.Duration) error {
	key := "now:lock:" + id
	if !rdb.SetNX(ctx, key, token, 0).Val() {
		return errBusy
	}
	rdb.ExpireAt(ctx, key, time.Now().Add(ttl))
	return work(ctx)
}

// The expiry comes in a goroutine, or in a literal of its own.
func background(ctx context.Context, rdb *redis.Client, id, token string) error {
	key := "bg:lock:" + id
	if !rdb.SetNX(ctx, key, token, 0).Val() {
		return errBusy
	}
	go rdb.Expire(ctx, key, lease)
	return work(ctx)
}

func literal(ctx context.Context, rdb *redis.Client, id, token string) error {
	key := "lit:lock:" + id
	if !rdb.SetNX(ctx, key, token, 0).Val() {
		return errBusy
	}
	go func() {
		if err := rdb.Expire(ctx, key, lease).Err(); err != nil {
			log.Print(err)
		}
	}()
	return work(ctx)
}

// A helper that does no more.
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

// SetArgs that lacks a TTL, and raw words.
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

func rawNX(ctx context.Context, rdb *redis.Client, id, token string) error {
	key := "raw:lock:" + id
	if ok, err := rdb.Do(ctx, "SETNX", key, token).Bool(); err != nil || !ok {
		return errBusy
	}
	rdb.Do(ctx, "EXPIRE", key, 30)
	return work(ctx)
}

// Comments stay, wherever they stand.
func comments(ctx context.Context, rdb *redis.Client, id, token string) error {
	key := "comments:lock:" + id
	// before
	ok, err := rdb.SetNX(
		ctx,
		key,   // the key
		token, // the token
		0,     // no expiry
	).Result() // behind
	if err != nil || !ok { // neither
		return errBusy
	}
	// about the expiry
	rdb.Expire(ctx, key, lease) // behind the expiry
	// after
	return work(ctx)
}

// A client that has no SetArgs.
type setter interface {
	SetNX(ctx context.Context, key string, value any, ttl time.Duration) *redis.BoolCmd
	Expire(ctx context.Context, key string, ttl time.Duration) *redis.BoolCmd
}

func narrow(ctx context.Context, c setter, id, token string) error {
	key := "narrow:lock:" + id
	if ok, err := c.SetNX(ctx, key, token, 0).Result(); err != nil || !ok {
		return errBusy
	}
	c.Expire(ctx, key, lease)
	return work(ctx)
}

// The expiry is worked out in between.
func workedOut(ctx context.Context, rdb *redis.Client, id, token string, secs int) error {
	key := "out:lock:" + id
	ok, err := rdb.SetNX(ctx, key, token, 0).Result()
	if err != nil || !ok {
		return errBusy
	}
	ttl := time.Duration(secs) * time.Second
	if _, err = rdb.Expire(ctx, key, ttl).Result(); err != nil {
		return err
	}
	return work(ctx)
}
