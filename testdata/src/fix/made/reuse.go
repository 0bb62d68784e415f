package made

import (
	"context"
	"crypto/rand"

	"github.com/redis/go-redis/v9"
)

// The handle of an earlier acquisition is handed out: it has the token of that one.
type cached struct {
	rdb      *redis.Client
	key, tok string
}

var handles = map[string]*cached{}

func cachedNew(ctx context.Context, rdb *redis.Client, id string) *cached {
	key, tok := "cached:lock:"+id, rand.Text()
	if !rdb.SetNX(ctx, key, tok, ttl).Val() {
		return nil
	}
	if c := handles[key]; c != nil {
		return c
	}
	c := &cached{rdb: rdb, key: key, tok: tok}
	handles[key] = c
	return c
}

func (c *cached) release(ctx context.Context) { c.rdb.Del(ctx, c.key) }

// The same in a local that has either, with no token yet.
type either struct {
	rdb *redis.Client
	key string
}

var eithers = map[string]*either{}

func eitherNew(ctx context.Context, rdb *redis.Client, id string) *either {
	key := "either:lock:" + id
	if !rdb.SetNX(ctx, key, "1", ttl).Val() {
		return nil
	}
	e := eithers[key]
	if e == nil {
		e = &either{rdb: rdb, key: key}
		eithers[key] = e
	}
	return e
}

func (e *either) release(ctx context.Context) { e.rdb.Del(ctx, e.key) }

// One that is cached is found before the lock is acquired: it is held already.
type found struct {
	rdb      *redis.Client
	key, tok string
}

var founds = map[string]*found{}

func foundNew(ctx context.Context, rdb *redis.Client, id string) (f *found, err error) {
	key, tok := "found:lock:"+id, rand.Text()
	if f := founds[key]; f != nil {
		return f, nil
	}
	ok, err := rdb.SetNX(ctx, key, tok, ttl).Result()
	if err != nil || !ok {
		return nil, errBusy
	}
	c := &found{rdb: rdb, key: key, tok: tok}
	founds[key] = c
	return c, nil
}

func (f *found) release(ctx context.Context) error { return f.rdb.Del(ctx, f.key).Err() }

// A method acquires again, with another token.
type renewed struct {
	rdb      *redis.Client
	key, tok string
}

func renewedNew(ctx context.Context, rdb *redis.Client, id string) *renewed {
	key, tok := "renewed:lock:"+id, rand.Text()
	if !rdb.SetNX(ctx, key, tok, ttl).Val() {
		return nil
	}
	return &renewed{rdb: rdb, key: key, tok: tok}
}

func (r *renewed) lock(ctx context.Context) bool {
	return r.rdb.SetNX(ctx, r.key, rand.Text(), ttl).Val()
}

func (r *renewed) release(ctx context.Context) { r.rdb.Del(ctx, r.key) }

// A method acquires again, with the token of the handle.
type same struct {
	rdb      *redis.Client
	key, tok string
}

func sameNew(ctx context.Context, rdb *redis.Client, id string) *same {
	key, tok := "same:lock:"+id, rand.Text()
	if !rdb.SetNX(ctx, key, tok, ttl).Val() {
		return nil
	}
	return &same{rdb: rdb, key: key, tok: tok}
}

func (s *same) lock(ctx context.Context) bool {
	return s.rdb.SetNX(ctx, s.key, s.tok, ttl).Val()
}

func (s *same) release(ctx context.Context) { s.rdb.Del(ctx, s.key) }

// One handle serves all that the loop acquires.
type shared struct {
	rdb *redis.Client
	key string
}

func sharedLoop(ctx context.Context, rdb *redis.Client, id string, out chan<- *shared) {
	key := "shared:lock:" + id
	s := &shared{rdb: rdb, key: key}
	for ctx.Err() == nil {
		if rdb.SetNX(ctx, key, "1", ttl).Val() {
			out <- s
		}
	}
}

func (s *shared) release(ctx context.Context) { s.rdb.Del(ctx, s.key) }

// One handle too, but what frees is not exported: it is given the token of the turn.
type beside struct {
	rdb *redis.Client
	key string
}

func besideLoop(ctx context.Context, rdb *redis.Client, id string, tick <-chan int, work func()) {
	key := "beside:lock:" + id
	b := &beside{rdb: rdb, key: key}
	for range tick {
		if !rdb.SetNX(ctx, key, rand.Text(), ttl).Val() {
			continue
		}
		go func() { defer b.release(ctx); work() }()
	}
}

func (b *beside) release(ctx context.Context) { b.rdb.Del(ctx, b.key) }

// A handle for each turn.
type turn struct {
	rdb *redis.Client
	key string
}

func turnLoop(ctx context.Context, rdb *redis.Client, id string, out chan<- *turn) {
	key := "turn:lock:" + id
	for ctx.Err() == nil {
		t := &turn{rdb: rdb, key: key}
		if rdb.SetNX(ctx, key, "1", ttl).Val() {
			out <- t
		}
	}
}

func (t *turn) release(ctx context.Context) { t.rdb.Del(ctx, t.key) }

// The loop tries until it acquired, and ends with the handle.
type tried struct {
	rdb *redis.Client
	key string
}

func try(ctx context.Context, rdb *redis.Client, id string, out chan<- *tried) *tried {
	t := &tried{rdb: rdb, key: "tried:lock:" + id}
	for ctx.Err() == nil {
		if rdb.SetNX(ctx, t.key, "1", ttl).Val() {
			out <- t
			return t
		}
	}
	return nil
}

func (t *tried) release(ctx context.Context) { t.rdb.Del(ctx, t.key) }

// The callers hand the handle on: what they acquire has one already.
func both(ctx context.Context, rdb *redis.Client, id string) (*found, *same) {
	f, err := foundNew(ctx, rdb, id)
	if err != nil {
		return nil, nil
	}
	return f, sameNew(ctx, rdb, id)
}
