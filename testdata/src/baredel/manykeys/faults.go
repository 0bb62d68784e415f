// Package manykeys frees several keys at once, one or all of them locks [D9].
package manykeys

import (
	"context"
	"crypto/rand"
	"errors"
	"slices"
	"time"

	"github.com/redis/go-redis/v9"
)

var errBusy = errors.New("busy")

func lockKey(id string) string { return "lock:batch:" + id }

// The lock hides among data keys.
func finish(ctx context.Context, rdb *redis.Client, id string, fn func() error) error {
	if ok, err := rdb.SetNX(ctx, lockKey(id), rand.Text(), time.Minute).Result(); err != nil || !ok {
		return errBusy
	}
	err := fn()
	rdb.Del(ctx, "batch:rows:"+id, "batch:state:"+id, lockKey(id)) // want `unowned-release: `
	return err
}

// A slice of the keys that were acquired, spread.
func lockAll(ctx context.Context, rdb *redis.Client, accounts []string, fn func() error) error {
	slices.Sort(accounts)
	var held []string
	for _, a := range accounts {
		key := "account:lock:" + a
		ok, err := rdb.SetNX(ctx, key, rand.Text(), time.Minute).Result()
		if err != nil || !ok {
			break
		}
		held = append(held, key)
	}
	defer func() {
		rdb.Del(ctx, held...) // want `unowned-release: `
	}()
	if len(held) < len(accounts) {
		return errBusy
	}
	return fn()
}

// The same, ranged over.
func lockRooms(ctx context.Context, rdb *redis.Client, rooms []string, fn func()) {
	held := make([]string, 0, len(rooms))
	for _, room := range rooms {
		key := "room:lock:" + room
		if rdb.SetNX(ctx, key, "1", time.Minute).Val() {
			held = append(held, key)
		}
	}
	fn()
	for _, key := range held {
		rdb.Del(ctx, key) // want `unowned-release: `
	}
}

// A map of them.
func lockTracks(ctx context.Context, rdb *redis.Client, tracks []string, fn func()) {
	won := map[string]time.Time{}
	for _, track := range tracks {
		key := "track:lock:" + track
		if rdb.SetNX(ctx, key, "1", time.Minute).Val() {
			won[key] = time.Now()
		}
	}
	fn()
	for key := range won {
		rdb.Del(ctx, key) // want `unowned-release: `
	}
}

// Not the keys are collected but the ids; the template is the same.
func lockLanes(ctx context.Context, rdb *redis.Client, lanes []string, fn func()) {
	var mine []string
	for _, lane := range lanes {
		if rdb.SetNX(ctx, "lane:lock:"+lane, "1", time.Minute).Val() {
			mine = append(mine, lane)
		}
	}
	fn()
	for _, lane := range mine {
		rdb.Del(ctx, "lane:lock:"+lane) // want `unowned-release: `
	}
}

// Unlock takes any number of keys; its sibling says what they are.
type multiLock struct{ rdb redis.UniversalClient }

func (m *multiLock) Lock(ctx context.Context, key string) (bool, error) {
	return m.rdb.SetNX(ctx, key, "1", time.Minute).Result()
}

func (m *multiLock) Unlock(ctx context.Context, keys ...string) error {
	return m.rdb.Del(ctx, keys...).Err() // want `unowned-release: `
}

// A method pair, the lock and what it protects deleted in one go.
type draftStore struct{ rdb *redis.Client }

func (s *draftStore) AcquireLock(ctx context.Context, doc string) bool {
	return s.rdb.SetNX(ctx, "draft:"+doc+":lock", "1", time.Minute).Val()
}

func (s *draftStore) ReleaseLock(ctx context.Context, doc string) {
	s.rdb.Unlink(ctx, "draft:"+doc+":buffer", "draft:"+doc+":lock") // want `unowned-release: `
}
