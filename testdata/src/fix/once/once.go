// Package once has acquisitions that run several times, and frees that are not for the
// caller's own lock: one token would not do.
package once

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

var errBusy = errors.New("busy")

const ttl = time.Minute

func work(ctx context.Context) error { return ctx.Err() }

// Each turn acquires, while the last holder may still work.
func turns(ctx context.Context, rdb *redis.Client, tick <-chan time.Time) {
	try := func() bool { return rdb.SetNX(ctx, "turns:lock", "1", ttl).Val() }
	for range tick {
		if !try() {
			continue
		}
		go func() {
			defer rdb.Del(ctx, "turns:lock")
			_ = work(ctx)
		}()
	}
}

func while(ctx context.Context, rdb *redis.Client) {
	for rdb.SetNX(ctx, "while:lock", "1", ttl).Val() {
		go func() {
			defer rdb.Del(ctx, "while:lock")
			_ = work(ctx)
		}()
	}
}

// Two acquisitions one after the other, the second is freed beside.
func twice(ctx context.Context, rdb *redis.Client) {
	if !rdb.SetNX(ctx, "twice:lock", "1", ttl).Val() {
		return
	}
	_ = work(ctx)
	rdb.Del(ctx, "twice:lock")
	if rdb.SetNX(ctx, "twice:lock", "1", ttl).Val() {
		go func() {
			defer rdb.Del(ctx, "twice:lock")
			_ = work(ctx)
		}()
	}
}

// Four goroutines acquire.
func fork(ctx context.Context, rdb *redis.Client) {
	for range 4 {
		go enter(ctx, rdb)
	}
	leave(ctx, rdb)
}

func enter(ctx context.Context, rdb *redis.Client) {
	if rdb.SetNX(ctx, "fork:lock", "1", ttl).Val() {
		_ = work(ctx)
	}
}

func leave(ctx context.Context, rdb *redis.Client) {
	defer work(ctx)
	rdb.Del(ctx, "fork:lock")
}

// What a crash left behind is freed first, whoever held it.
func restart(ctx context.Context, rdb *redis.Client) error {
	drop(ctx, rdb)
	if !rdb.SetNX(ctx, "restart:lock", "1", ttl).Val() {
		return errBusy
	}
	defer drop(ctx, rdb)
	return work(ctx)
}

func drop(ctx context.Context, rdb *redis.Client) {
	defer work(ctx)
	rdb.Del(ctx, "restart:lock")
}

// A lock without an expiry is repaired by whoever finds it.
func repair(ctx context.Context, rdb *redis.Client) error {
	token := rand.Text()
	if !rdb.SetNX(ctx, "repair:lock", token, ttl).Val() {
		if rdb.TTL(ctx, "repair:lock").Val() == -1 {
			rdb.Del(ctx, "repair:lock")
		}
		return errBusy
	}
	return work(ctx)
}

func (s *service) handle(ctx context.Context, id string, stale bool) error {
	if !s.acquire(ctx, id) {
		if !stale {
			return errBusy
		}
		s.release(ctx, id)
		if !s.acquire(ctx, id) {
			return errBusy
		}
	}
	defer s.release(ctx, id)
	return work(ctx)
}

type service struct {
	rdb  *redis.Client
	held []string
}

func (s *service) acquire(ctx context.Context, id string) bool {
	return s.rdb.SetNX(ctx, "service:lock:"+id, "1", ttl).Val()
}

func (s *service) release(ctx context.Context, id string) {
	defer work(ctx)
	s.rdb.Del(ctx, "service:lock:"+id)
}

// Other callers put their keys into the list too.
func (s *service) Do(ctx context.Context, id string) error {
	if !s.enlist(ctx, id) {
		return errBusy
	}
	defer s.releaseAll(ctx)
	return work(ctx)
}

func (s *service) enlist(ctx context.Context, id string) bool {
	ok := s.rdb.SetNX(ctx, "listed:lock:"+id, "1", ttl).Val()
	if ok {
		s.held = append(s.held, id)
	}
	return ok
}

func (s *service) releaseAll(ctx context.Context) {
	for _, id := range s.held {
		s.rdb.Del(ctx, "listed:lock:"+id)
	}
	s.held = nil
}

// The token of the next turn by the time that this one's release runs.
func later(ctx context.Context, rdb *redis.Client, keys []string) {
	token := rand.Text()
	for _, key := range keys {
		token = rand.Text()
		if !rdb.SetNX(ctx, "later:lock:"+key, token, ttl).Val() {
			continue
		}
		defer func() { rdb.Del(ctx, "later:lock:"+key) }()
	}
}

// Another function clears the token.
type options struct{ token string }

func cleared(ctx context.Context, rdb *redis.Client, id string, o *options) {
	o.token = rand.Text()
	if !rdb.SetNX(ctx, "cleared:lock:"+id, o.token, ttl).Val() {
		return
	}
	defer func() { rdb.Del(ctx, "cleared:lock:"+id) }()
	reset(o)
}

func reset(o *options) { o.token = "" }

// The caller compares the token that it gave.
func given(ctx context.Context, rdb *redis.Client, token string, any bool) error {
	if any {
		if !rdb.SetNX(ctx, "given:lock", "1", ttl).Val() {
			return errBusy
		}
	} else if !rdb.SetNX(ctx, "given:lock", token, ttl).Val() {
		return errBusy
	}
	defer rdb.Del(ctx, "given:lock")
	return work(ctx)
}
