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
