package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/redis/go-redis/v9"
)

// A timeline prints what happens to one key, who does it, and who owns the key then.
type timeline struct {
	w      io.Writer
	rdb    *redis.Client
	prefix string

	key    string
	start  time.Time
	tokens map[string]string // by who
}

// begin starts a schedule on a key of its own.
func (t *timeline) begin(title, key string) {
	t.key, t.start, t.tokens = t.prefix+key, time.Now(), map[string]string{}
	fmt.Fprintf(t.w, "\n%s\n\n   time  who  what                                          key afterwards\n", title)
}

// end says what the schedule shows, and removes the key.
func (t *timeline) end(ctx context.Context, moral string) error {
	fmt.Fprintf(t.w, "\n  => %s\n", moral)
	//locklint:ignore unowned-release the schedule is over, the key is of no use to anybody
	return t.rdb.Del(ctx, t.key).Err()
}

// step prints what who did, and the owner and the TTL of the key after it.
func (t *timeline) step(ctx context.Context, who, format string, args ...any) error {
	state, err := t.state(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(t.w, "%6dms  %-3s  %-44s  %s\n", time.Since(t.start).Milliseconds(), who, fmt.Sprintf(format, args...), state)
	return nil
}

func (t *timeline) state(ctx context.Context) (string, error) {
	owner, err := t.rdb.Get(ctx, t.key).Result()
	if errors.Is(err, redis.Nil) {
		return "free", nil
	}
	if err != nil {
		return "", err
	}
	ttl, err := t.rdb.PTTL(ctx, t.key).Result()
	if err != nil {
		return "", err
	}
	if ttl < 0 {
		return fmt.Sprintf("owner %s, no TTL", owner), nil
	}
	return fmt.Sprintf("owner %s, TTL %dms", owner, ttl.Milliseconds()), nil
}

// acquire tries to take the key for who, with a fresh token.
func (t *timeline) acquire(ctx context.Context, who string, ttl time.Duration) (bool, error) {
	token := who + "-" + rand.Text()[:6]
	t.tokens[who] = token
	ok, err := t.rdb.SetNX(ctx, t.key, token, ttl).Result()
	if err != nil {
		return false, err
	}
	answer := "held"
	if ok {
		answer = "OK"
	}
	return ok, t.step(ctx, who, "SET key %s NX PX %d: %s", token, ttl.Milliseconds(), answer)
}

// expire waits until the key is free.
func (t *timeline) expire(ctx context.Context) error {
	for {
		n, err := t.rdb.Exists(ctx, t.key).Result()
		if err != nil || n == 0 {
			return err
		}
		time.Sleep(5 * time.Millisecond) // the end of a ttl sends no event
	}
}
