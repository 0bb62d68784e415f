package made

import (
	"context"

	"github.com/redis/go-redis/v9"
)

// Another function makes a handle for a key that it does not acquire.
type adopted struct {
	rdb *redis.Client
	key string
}

func adoptNew(ctx context.Context, rdb *redis.Client, id, token string) *adopted {
	key := "adopted:lock:" + id
	if !rdb.SetNX(ctx, key, token, ttl).Val() {
		return nil
	}
	return &adopted{rdb: rdb, key: key}
}

func adopt(rdb *redis.Client, id string) *adopted { return &adopted{rdb, "adopted:lock:" + id} }

func (a *adopted) release(ctx context.Context) { a.rdb.Del(ctx, a.key) }

// A method points the handle at another key.
type moved struct {
	rdb *redis.Client
	key string
}

func moveNew(ctx context.Context, rdb *redis.Client, id string) *moved {
	key := "moved:lock:" + id
	if !rdb.SetNX(ctx, key, "1", ttl).Val() {
		return nil
	}
	return &moved{rdb: rdb, key: key}
}

func (m *moved) to(id string) { m.key = "moved:lock:" + id }

func (m *moved) release(ctx context.Context) { m.rdb.Del(ctx, m.key) }

// A decoder, or another package, can fill it in.
type Ticket struct{ Key string }

func NewTicket(ctx context.Context, rdb *redis.Client, id string) *Ticket {
	key := "ticket:lock:" + id
	if !rdb.SetNX(ctx, key, "1", ttl).Val() {
		return nil
	}
	return &Ticket{Key: key}
}

func Release(ctx context.Context, rdb *redis.Client, t *Ticket) { rdb.Del(ctx, t.Key) }

// The handle is a value that callers compare.
type mark struct {
	rdb *redis.Client
	key string
}

func markNew(ctx context.Context, rdb *redis.Client, id string) (m mark) {
	key := "mark:lock:" + id
	if !rdb.SetNX(ctx, key, "1", ttl).Val() {
		return m
	}
	return mark{rdb: rdb, key: key}
}

func (m mark) release(ctx context.Context) { m.rdb.Del(ctx, m.key) }

func (m mark) held() bool { return m != mark{} }

// The handle is for a key that is made of something else.
type other struct {
	rdb *redis.Client
	id  string
}

func otherNew(ctx context.Context, rdb *redis.Client, id, next string) *other {
	if !rdb.SetNX(ctx, "other:lock:"+id, "1", ttl).Val() {
		return nil
	}
	return &other{rdb: rdb, id: next}
}

func (o *other) release(ctx context.Context) { o.rdb.Del(ctx, "other:lock:"+o.id) }

// It acquires again by itself, without a new handle.
type again struct {
	rdb *redis.Client
	key string
}

func againNew(ctx context.Context, rdb *redis.Client, id string) *again {
	key := "again:lock:" + id
	if !rdb.SetNX(ctx, key, "1", ttl).Val() {
		return nil
	}
	return &again{rdb: rdb, key: key}
}

func (a *again) lock(ctx context.Context) bool { return a.rdb.SetNX(ctx, a.key, "1", ttl).Val() }

func (a *again) release(ctx context.Context) { a.rdb.Del(ctx, a.key) }

// The goroutines each acquire a key of their own; one token would serve them all.
type each struct {
	rdb *redis.Client
	key string
}

func eachNew(ctx context.Context, rdb *redis.Client, ids []string) chan *each {
	out := make(chan *each)
	for _, id := range ids {
		go func() {
			out <- &each{rdb: rdb, key: "each:lock:" + id}
		}()
	}
	go func() { rdb.SetNX(ctx, "each:lock:"+ids[0], "1", ttl) }()
	return out
}

func (e *each) release(ctx context.Context) { e.rdb.Del(ctx, e.key) }

// A handle that is used again keeps what it was made with.
type reused struct {
	rdb *redis.Client
	key string
}

func reuse(ctx context.Context, rdb *redis.Client, old *reused, id, token string) *reused {
	key := "reused:lock:" + id
	if !rdb.SetNX(ctx, key, token, ttl).Val() {
		return nil
	}
	if old == nil {
		return &reused{rdb: rdb, key: key}
	}
	old.key = key
	return old
}

func (r *reused) release(ctx context.Context) { r.rdb.Del(ctx, r.key) }

// One constructor stores a constant, the other what its caller knows.
type mixed struct {
	rdb *redis.Client
	key string
}

func mixedNew(ctx context.Context, rdb *redis.Client, id string) *mixed {
	key := "mixed:lock:" + id
	if !rdb.SetNX(ctx, key, "1", ttl).Val() {
		return nil
	}
	return &mixed{rdb, key}
}

func mixedFor(ctx context.Context, rdb *redis.Client, id, token string) *mixed {
	key := "mixed:lock:" + id
	if !rdb.SetNX(ctx, key, token, ttl).Val() {
		return nil
	}
	return &mixed{rdb, key}
}

func (m *mixed) release(ctx context.Context) { m.rdb.Del(ctx, m.key) }
