package suggested

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
)

// A mutex is one handle for one lock: its fields make the key.
type mutex struct {
	rdb  *redis.Client
	name string
	ttl  time.Duration // of the lease
}

func (m *mutex) Lock(ctx context.Context) error {
	ok, err := m.rdb.SetNX(ctx, "mutex:"+m.name, "1", m.ttl).Result()
	if err != nil {
		return err
	}
	if !ok {
		return errBusy
	}
	return nil
}

func (m *mutex) TryLock(ctx context.Context) (bool, error) {
	return m.rdb.SetNX(ctx, "mutex:"+m.name, "1", m.ttl).Result()
}

func (m *mutex) Unlock(ctx context.Context) error {
	return m.rdb.Del(ctx, "mutex:"+m.name).Err()
}

func (m *mutex) Extend(ctx context.Context) (bool, error) {
	return m.rdb.Expire(ctx, "mutex:"+m.name, m.ttl).Result()
}

// A lease whose first command sets no expiry either.
type lease struct {
	rdb *redis.Client
	key string
}

func (l *lease) Acquire(ctx context.Context) bool {
	if ok, err := l.rdb.SetNX(ctx, l.key, 1, 0).Result(); err != nil || !ok {
		return false
	}
	l.rdb.Expire(ctx, l.key, time.Minute)
	return true
}

func (l *lease) Release(ctx context.Context) { l.rdb.Del(ctx, l.key) }

// A store is shared by all callers: the token cannot live in it.
type store struct{ rdb *redis.Client }

func (s *store) Lock(ctx context.Context, id string) bool {
	return s.rdb.SetNX(ctx, "store:lock:"+id, "1", time.Minute).Val()
}

func (s *store) Unlock(ctx context.Context, id string) { s.rdb.Del(ctx, "store:lock:"+id) }

// A latch whose token is made where the key is created, and lost there.
type latchLock struct {
	rdb  *redis.Client
	name string
	next func() string
}

func (l *latchLock) Acquire(ctx context.Context) bool {
	return l.rdb.SetNX(ctx, "latch:"+l.name, uuid(), time.Minute).Val()
}

func uuid() string { return time.Now().Format(time.RFC3339Nano) }

func (l *latchLock) Release(ctx context.Context) error {
	return l.rdb.Del(ctx, "latch:"+l.name).Err()
}
