package p

import (
	"context"
	"time"
)

type Store interface {
	Base
	SetNX(key string, v any, ttl time.Duration) (bool, error)
	SetIfAbsent(context.Context, string, any, time.Duration) bool
}

type Base interface {
	Del(keys ...string) error
	Delete(ctx context.Context, keys []string)
	Get(key string) (string, error)
}

type one struct{ Store }

type two struct {
	*one
	Base
	lockKey string
}

func (o one) SetNX(key string, v any, ttl time.Duration) (bool, error) {
	return o.Store.SetNX(key, v, ttl)
}

func (t *two) Lock() bool {
	ok, _ := t.SetNX(t.lockKey, 1, 0)
	return ok
}

func (t *two) Unlock() { t.Base.Del(t.lockKey) }

func three() (string, any, time.Duration) { return "lock:a", 1, 0 }

func use(ctx context.Context, s Store, t *two) {
	if ok, err := s.SetNX(three()); ok && err == nil {
		defer s.Del()
		defer s.Del([]string{"lock:a"}...)
		defer s.Delete(ctx, []string{"lock:a", "lock:b"})
		defer s.Delete(ctx, nil)
	}
	if s.SetIfAbsent(ctx, "lock:b", s, -1) || t.Lock() {
		t.Unlock()
	}
	set := s.SetNX
	set(three())
	func(x interface {
		SetNX(string, any, time.Duration) (bool, error)
	}) {
		x.SetNX("lock:c", nil, 0)
	}(t)
	Store.SetNX(s, "lock:d", 1, 0)
	(*two).Unlock(t)
}
