// Package otherclients has clients whose methods are named like Redis commands
// and are something else.
package otherclients

import (
	"context"
	"errors"
	"sync"
	"time"
)

var errBusy = errors.New("busy")

// SetNX without a TTL parameter: another client's signature.
type gfRedis interface {
	SetNX(ctx context.Context, key string, value any) (bool, error)
	Expire(ctx context.Context, key string, seconds int64) (int64, error)
	Del(ctx context.Context, keys ...string) (int64, error)
}

func issue(ctx context.Context, r gfRedis, ticket string, fn func() error) error {
	ok, err := r.SetNX(ctx, "ticket:"+ticket, 1)
	if err != nil || !ok {
		return errBusy
	}
	if _, err := r.Expire(ctx, "ticket:"+ticket, 60); err != nil {
		return err
	}
	defer r.Del(ctx, "ticket:"+ticket)
	return fn()
}

// Do with the command as its first argument and no ctx: another client's.
type conn interface {
	Do(command string, args ...any) (reply any, err error)
	Close() error
}

func stamp(c conn, ticket string, fn func() error) error {
	defer c.Close()
	if _, err := c.Do("SETNX", "stamp:"+ticket, 1, "EX", 10); err != nil {
		return err
	}
	defer c.Do("DEL", "stamp:"+ticket)
	return fn()
}

// A set of its own, in memory: Del and Expire mean what it says.
type memory struct {
	mu sync.Mutex
	m  map[string]any
}

func (m *memory) SetNX(ctx context.Context, key string, value any, ttl time.Duration) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.m[key]; ok {
		return false, nil
	}
	m.m[key] = value
	return true, nil
}

func (m *memory) Del(ctx context.Context, keys ...string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, k := range keys {
		delete(m.m, k)
	}
	return nil
}

// The process' own mutex, and a map that is locked.
func (m *memory) Update(key string, fn func(any) any) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.m[key] = fn(m.m[key])
}
