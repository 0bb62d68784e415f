package once

import (
	"context"
	"crypto/rand"
	"net/http"
	"time"

	"github.com/redis/go-redis/v9"
)

// What is held from an earlier turn, or call, is freed: this turn has no token of it.
func carried(ctx context.Context, rdb *redis.Client, tick <-chan time.Time, full func() bool) {
	held := false
	for range tick {
		if !held {
			held = rdb.SetNX(ctx, "carried:lock", "1", ttl).Val()
		}
		if held && full() {
			rdb.Del(ctx, "carried:lock")
			held = false
		}
	}
}

func carriedToken(ctx context.Context, rdb *redis.Client, tick <-chan time.Time, full func() bool) {
	held := false
	for range tick {
		token := rand.Text()
		if !held {
			held = rdb.SetNX(ctx, "token:lock", token, ttl).Val()
		}
		if held && full() {
			rdb.Del(ctx, "token:lock")
			held = false
		}
	}
}

func resumed(ctx context.Context, rdb *redis.Client, resume bool, step func() bool) {
	if !resume {
		if !rdb.SetNX(ctx, "resumed:lock", rand.Text(), ttl).Val() {
			return
		}
	}
	if step() {
		rdb.Del(ctx, "resumed:lock")
	}
}

type ticker struct {
	rdb  *redis.Client
	held bool
}

func (t *ticker) tick(ctx context.Context, full func() bool) {
	if t.held || t.rdb.SetNX(ctx, "ticker:lock", rand.Text(), ttl).Val() {
		t.held = true
		if full() {
			t.rdb.Del(ctx, "ticker:lock")
			t.held = false
		}
	}
}

// Each request acquires.
func serve(ctx context.Context, rdb *redis.Client, mux *http.ServeMux) {
	try := func() bool { return rdb.SetNX(ctx, "serve:lock", rand.Text(), ttl).Val() }
	free := func() { rdb.Del(ctx, "serve:lock") }
	mux.HandleFunc("/", func(http.ResponseWriter, *http.Request) {
		if !try() {
			return
		}
		defer free()
		_ = work(ctx)
	})
}

// The release is handed to others.
func handed(ctx context.Context, rdb *redis.Client, in <-chan string, run func(func())) {
	free := func() { rdb.Del(ctx, "handed:lock") }
	for range in {
		if rdb.SetNX(ctx, "handed:lock", "1", ttl).Val() {
			run(free)
		}
	}
}

func again(ctx context.Context, rdb *redis.Client) {
again:
	if !rdb.SetNX(ctx, "again:lock", "1", ttl).Val() {
		return
	}
	go func() {
		defer rdb.Del(ctx, "again:lock")
		_ = work(ctx)
	}()
	if work(ctx) == nil {
		goto again
	}
}

// The expiry is renewed in each turn: it is no second half.
func beat(ctx context.Context, rdb *redis.Client, tick <-chan time.Time, id string) {
	held := false
	for range tick {
		if !held {
			held = rdb.SetNX(ctx, "beat:leader", id, 0).Val()
		}
		if held {
			rdb.Expire(ctx, "beat:leader", ttl)
		}
	}
}

func beats(ctx context.Context, rdb *redis.Client, id string, run func(beat func())) {
	if !rdb.SetNX(ctx, "beats:lock", id, 0).Val() {
		return
	}
	beat := func() { rdb.Expire(ctx, "beats:lock", ttl) }
	beat()
	run(beat)
}

// With force, or where the caller holds it, what is freed is not of this call.
func forced(ctx context.Context, rdb *redis.Client, force bool) error {
	ok := false
	if !force {
		ok = rdb.SetNX(ctx, "forced:lock", "1", ttl).Val()
	}
	err := work(ctx)
	if ok || force {
		rdb.Del(ctx, "forced:lock")
	}
	return err
}

func already(ctx context.Context, rdb *redis.Client, locked bool) error {
	defer rdb.Del(ctx, "already:lock")
	if !locked {
		if !rdb.SetNX(ctx, "already:lock", "1", ttl).Val() {
			return errBusy
		}
	}
	return work(ctx)
}

func acquired(ctx context.Context, rdb *redis.Client, locked bool) error {
	acquire := func() error {
		if locked {
			return nil
		}
		return rdb.SetNX(ctx, "acquired:lock", "1", ttl).Err()
	}
	if err := acquire(); err != nil {
		return err
	}
	defer rdb.Del(ctx, "acquired:lock")
	return work(ctx)
}

func cleared2(ctx context.Context, rdb *redis.Client, force bool) error {
	ok := rdb.SetNX(ctx, "cleared2:lock", "1", ttl).Val()
	switch {
	case !ok && force:
		rdb.Del(ctx, "cleared2:lock")
		return nil
	case !ok:
		return errBusy
	}
	defer rdb.Del(ctx, "cleared2:lock")
	return work(ctx)
}

// The token is another when it is read: a result, bytes, the field of a copy.
func reserve(ctx context.Context, rdb *redis.Client) (token string, err error) {
	token = rand.Text()
	if !rdb.SetNX(ctx, "reserve:lock", token, ttl).Val() {
		return "", errBusy
	}
	defer func() { rdb.Del(ctx, "reserve:lock") }()
	return "", work(ctx)
}

func renewed(ctx context.Context, rdb *redis.Client) {
	token := rand.Text()
	next := func() { token = rand.Text() }
	if !rdb.SetNX(ctx, "renewed:lock", token, ttl).Val() {
		return
	}
	next()
	rdb.Del(ctx, "renewed:lock")
}

func bytes(ctx context.Context, rdb *redis.Client) {
	token := make([]byte, 16)
	rand.Read(token)
	if !rdb.SetNX(ctx, "bytes:lock", token, ttl).Val() {
		return
	}
	rand.Read(token)
	rdb.Del(ctx, "bytes:lock")
}

type copied struct {
	rdb        *redis.Client
	key, token string
}

func (c copied) Lock(ctx context.Context) bool {
	c.token = rand.Text()
	return c.rdb.SetNX(ctx, c.key, c.token, ttl).Val()
}

func (c copied) Unlock(ctx context.Context) { c.rdb.Del(ctx, c.key) }
