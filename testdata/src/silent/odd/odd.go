// Package odd has sound locks in odd clothes.
package odd

import (
	"context"
	"crypto/rand"
	_ "embed"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

var errBusy = errors.New("busy")

// The arguments in a variable that is filled later, the mode in lower case; the
// script is embedded.
//
//go:embed lua/unlock.lua
var unlockLua string

var unlockScript = redis.NewScript(unlockLua)

func stitch(ctx context.Context, rdb *redis.Client, panorama string, fn func() error) error {
	var args redis.SetArgs
	args.Mode = strings.ToLower("NX")
	args.TTL = 30 * time.Second
	key, token := "stitch:"+panorama, rand.Text()
	if err := rdb.SetArgs(ctx, key, token, args).Err(); errors.Is(err, redis.Nil) {
		return errBusy
	} else if err != nil {
		return err
	}
	defer unlockScript.Run(context.WithoutCancel(ctx), rdb, []string{key}, token)
	return fn()
}

// Scripts in a struct.
type scripts struct {
	lock, unlock, extend *redis.Script
}

func loadScripts() scripts {
	return scripts{
		lock:   redis.NewScript(`return redis.call("set", KEYS[1], ARGV[1], "nx", "px", ARGV[2])`),
		unlock: redis.NewScript(unlockLua),
		extend: redis.NewScript(`if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("pexpire", KEYS[1], ARGV[2]) end return 0`),
	}
}

type Locker struct {
	rdb redis.UniversalClient
	s   scripts
}

func NewLocker(rdb redis.UniversalClient) *Locker { return &Locker{rdb: rdb, s: loadScripts()} }

func (l *Locker) TryLock(ctx context.Context, key string, ttl time.Duration) (string, bool, error) {
	token := rand.Text()
	err := l.s.lock.Run(ctx, l.rdb, []string{key}, token, ttl.Milliseconds()).Err()
	if errors.Is(err, redis.Nil) {
		return "", false, nil
	}
	return token, err == nil, err
}

func (l *Locker) Extend(ctx context.Context, key, token string, ttl time.Duration) (bool, error) {
	return l.s.extend.Run(ctx, l.rdb, []string{key}, token, ttl.Milliseconds()).Bool()
}

func (l *Locker) Unlock(ctx context.Context, key, token string) (bool, error) {
	n, err := l.s.unlock.Run(ctx, l.rdb, []string{key}, token).Int()
	return n == 1, err
}

// A helper around EVAL, as old code has it.
func evalInt(ctx context.Context, rdb redis.Scripter, text string, keys []string, args ...any) (int, error) {
	return rdb.Eval(ctx, text, keys, args...).Int()
}

func crop(ctx context.Context, rdb *redis.Client, photo string, fn func()) error {
	const text = `if redis.call("get",KEYS[1])==ARGV[1] then return redis.call("del",KEYS[1]) else return 0 end`
	key, token := fmt.Sprintf("crop:%s", photo), rand.Text()
	if !rdb.SetNX(ctx, key, token, time.Minute).Val() {
		return errBusy
	}
	fn()
	if n, err := evalInt(ctx, rdb, text, []string{key}, token); err != nil || n != 1 {
		return fmt.Errorf("crop %s: lock lost: %w", photo, err)
	}
	return nil
}

// The script by its digest.
func sharpen(ctx context.Context, rdb *redis.Client, photo string, fn func()) error {
	sha, err := unlockScript.Load(ctx, rdb).Result()
	if err != nil {
		return err
	}
	key, token := "sharpen:"+photo, rand.Text()
	if !rdb.SetNX(ctx, key, token, time.Minute).Val() {
		return errBusy
	}
	defer rdb.EvalSha(context.WithoutCancel(ctx), sha, []string{key}, token)
	fn()
	return nil
}

// A raw command with its options in another order.
func frame(ctx context.Context, rdb *redis.Client, photo string, fn func()) error {
	key, token := "frame:"+photo, rand.Text()
	cmd := redis.NewStatusCmd(ctx, "set", key, token, "px", 30000, "nx")
	if err := rdb.Process(ctx, cmd); err != nil {
		return errBusy
	}
	defer unlockScript.Run(context.WithoutCancel(ctx), rdb, []string{key}, token)
	fn()
	return nil
}
