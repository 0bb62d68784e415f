// Package places writes the constant in all places where code takes a lock: in
// loops, branches, goroutines and beside the cache that the lock protects.
package places

import (
	"context"
	"errors"
	"log"
	"time"

	"github.com/redis/go-redis/v9"
)

const ttl = 10 * time.Second

var errBusy = errors.New("busy")

// The function calls itself until the cache is filled.
func article(ctx context.Context, rdb *redis.Client, id string, load func() string) string {
	if v, err := rdb.Get(ctx, "article:"+id).Result(); err == nil {
		return v
	}
	lock := "lock:article:" + id
	got, _ := rdb.SetNX(ctx, lock, "1", ttl).Result() // want `weak-token: `
	if !got {
		time.Sleep(10 * time.Millisecond)
		return article(ctx, rdb, id, load)
	}
	defer rdb.Del(ctx, lock)
	v := load()
	rdb.Set(ctx, "article:"+id, v, time.Minute)
	return v
}

// A loop that waits, and hands the function that frees to its caller.
func waitFor(ctx context.Context, rdb *redis.Client, page string) (func(), error) {
	key := "lock:page:" + page
	for {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(10 * time.Millisecond):
		}
		ok, err := rdb.SetNX(ctx, key, "locked", ttl).Result() // want `weak-token: `
		if err != nil {
			return nil, err
		}
		if ok {
			return func() {
				if err := rdb.Del(context.WithoutCancel(ctx), key).Err(); err != nil {
					log.Print(err)
				}
			}, nil
		}
	}
}

// A command that is kept, and asked twice.
type Section struct {
	rdb  *redis.Client
	name string
}

func (s *Section) key() string { return "section:locker:" + s.name }

func (s *Section) Lock(ctx context.Context) error {
	for {
		cmd := s.rdb.SetNX(ctx, s.key(), 1, ttl) // want `weak-token: `
		if err := cmd.Err(); err != nil {
			return err
		}
		if cmd.Val() {
			return nil
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func (s *Section) Unlock(ctx context.Context) {
	if err := s.rdb.Del(ctx, s.key()).Err(); err != nil {
		log.Print(err)
	}
}

// Only the goroutine that the winner starts frees.
func rebuild(ctx context.Context, rdb redis.UniversalClient, index string, fn func(string)) {
	key := "lock:index:" + index
	if ok, _ := rdb.SetNX(ctx, key, "1", ttl).Result(); ok { // want `weak-token: `
		go func(name string) {
			defer rdb.Del(context.WithoutCancel(ctx), key)
			fn(name)
		}(index)
	}
}

// A time in seconds is no token: two that come in one second have the same.
type Issues struct{ cli *redis.Client }

func (i *Issues) Lock(ctx context.Context, key string, seconds int) bool {
	if i.cli == nil {
		return false
	}
	err := i.cli.SetNX(ctx, key, time.Now().Unix(), time.Duration(seconds)*time.Second).Err() // want `weak-token: `
	return err == nil
}

func (i *Issues) Unlock(ctx context.Context, key string) bool {
	return i.cli != nil && i.cli.Del(ctx, key).Err() == nil
}

// Nor is one as text.
type Columns struct {
	redis.UniversalClient
	site string
}

func (c *Columns) key(n string) string { return c.site + ":lock:" + n }

func (c *Columns) TryLock(ctx context.Context, n string) bool {
	return c.SetNX(ctx, c.key(n), time.Now().Format(time.RFC3339), ttl).Val() // want `weak-token: `
}

func (c *Columns) Unlock(ctx context.Context, n string) error { return c.Del(ctx, c.key(n)).Err() }

// The reply is not looked at, only the error: with a lock name this is meant as an
// acquisition.
func proof(ctx context.Context, rdb *redis.Client, sheet string, fn func()) error {
	key := "lock:sheet:" + sheet
	if err := rdb.SetNX(ctx, key, "1", ttl).Err(); err != nil { // want `weak-token: `
		return err
	}
	defer rdb.Del(ctx, key)
	fn()
	return nil
}

// A command of plain strings.
func print(ctx context.Context, rdb *redis.Client, sheet string, fn func()) error {
	key := "lock:press:" + sheet
	res, err := rdb.Do(ctx, "SET", key, "1", "EX", 10, "NX").Result() // want `weak-token: `
	if err != nil {
		return err
	}
	if res == nil {
		return errBusy
	}
	defer rdb.Do(ctx, "DEL", key)
	fn()
	return nil
}
