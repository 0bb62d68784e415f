package suggested

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
)

// A handle is made anew for the release, which would have no token.
type splitLock struct {
	rdb *redis.Client
	id  string
}

func newSplit(rdb *redis.Client, id string) *splitLock { return &splitLock{rdb: rdb, id: id} }

func (l *splitLock) Acquire(ctx context.Context) (bool, error) {
	return l.rdb.SetNX(ctx, "split:"+l.id, "1", time.Minute).Result()
}

func (l *splitLock) Release(ctx context.Context) error {
	return l.rdb.Del(ctx, "split:"+l.id).Err()
}

func begin(ctx context.Context, rdb *redis.Client, id string) (bool, error) {
	return newSplit(rdb, id).Acquire(ctx)
}

func end(ctx context.Context, rdb *redis.Client, id string) error {
	return newSplit(rdb, id).Release(ctx)
}

// The same in a variable, as an argument, and through an interface.
type laterLock struct {
	rdb *redis.Client
	id  string
}

func (l *laterLock) Acquire(ctx context.Context) bool {
	return l.rdb.SetNX(ctx, "later:"+l.id, "1", time.Minute).Val()
}

func (l *laterLock) Release(ctx context.Context) { l.rdb.Del(ctx, "later:"+l.id) }

func beginLater(ctx context.Context, rdb *redis.Client, id string) bool {
	l := laterLock{rdb: rdb, id: id}
	return l.Acquire(ctx)
}

func endLater(ctx context.Context, rdb *redis.Client, id string) {
	l := &laterLock{rdb: rdb, id: id}
	defer l.Release(ctx)
}

type argLock struct {
	rdb *redis.Client
	id  string
}

func (l *argLock) Acquire(ctx context.Context) bool {
	return l.rdb.SetNX(ctx, "arg:"+l.id, "1", time.Minute).Val()
}

func (l *argLock) Release(ctx context.Context) { l.rdb.Del(ctx, "arg:"+l.id) }

func drop(ctx context.Context, l *argLock) { l.Release(ctx) }

func endArg(ctx context.Context, rdb *redis.Client, id string) { drop(ctx, &argLock{rdb: rdb, id: id}) }

type zeroLock struct {
	rdb *redis.Client
	id  string
}

func (l *zeroLock) Acquire(ctx context.Context) bool {
	return l.rdb.SetNX(ctx, "zero:"+l.id, "1", time.Minute).Val()
}

func (l *zeroLock) Release(ctx context.Context) { l.rdb.Del(ctx, "zero:"+l.id) }

func endZero(ctx context.Context, rdb *redis.Client, id string) {
	var l zeroLock
	l.rdb, l.id = rdb, id
	l.Release(ctx)
}

type locker interface {
	Acquire(context.Context) bool
	Release(context.Context) int64
}

type hiddenLock struct {
	rdb *redis.Client
	id  string
}

func newHidden(rdb *redis.Client, id string) locker { return &hiddenLock{rdb: rdb, id: id} }

func (l *hiddenLock) Acquire(ctx context.Context) bool {
	return l.rdb.SetNX(ctx, "hidden:"+l.id, "1", time.Minute).Val()
}

func (l *hiddenLock) Release(ctx context.Context) int64 {
	n, _ := l.rdb.Del(ctx, "hidden:"+l.id).Result()
	return n
}

func endHidden(ctx context.Context, rdb *redis.Client, id string) int64 {
	return newHidden(rdb, id).Release(ctx)
}

// Released through the handle that acquired: itself, or what a function hands on that
// acquired through it.
type steadyLock struct {
	rdb *redis.Client
	id  string
}

func (l *steadyLock) Acquire(ctx context.Context) bool {
	return l.rdb.SetNX(ctx, "steady:"+l.id, "1", time.Minute).Val()
}

func (l *steadyLock) Wait(ctx context.Context) bool { return l.Acquire(ctx) || l.Acquire(ctx) }

func (l *steadyLock) Release(ctx context.Context) { l.rdb.Del(ctx, "steady:"+l.id) }

func hold(ctx context.Context, rdb *redis.Client, id string) (*steadyLock, bool) {
	l := &steadyLock{rdb: rdb, id: id}
	return l, l.Wait(ctx)
}

func holdC(ctx context.Context, rdb *redis.Client) (l *steadyLock) {
	l, _ = hold(ctx, rdb, "c")
	return
}

type steadies map[string]*steadyLock

func (s steadies) of(id string) *steadyLock { return s[id] }

func withHeld(ctx context.Context, rdb *redis.Client, s steadies) {
	defer s.of("d").Release(ctx)
	defer holdC(ctx, rdb).Release(ctx)
}

func withSteady(ctx context.Context, rdb *redis.Client, fn func()) {
	if l, ok := hold(ctx, rdb, "a"); ok {
		defer l.Release(ctx)
	}
	l := steadyLock{rdb: rdb, id: "b"}
	if l.Acquire(ctx) {
		defer letGo(ctx, &l)
		fn()
	}
}

func letGo(ctx context.Context, l *steadyLock) { l.Release(ctx) }

// What frees has a copy of the handle, as it was when the defer was met.
type copiedLock struct {
	rdb  *redis.Client
	lock string
}

func (c *copiedLock) Lock(ctx context.Context) bool {
	return c.rdb.SetNX(ctx, c.lock, "1", time.Minute).Val()
}

func (c copiedLock) Unlock(ctx context.Context) { c.rdb.Del(ctx, c.lock) }

func withCopied(ctx context.Context, c *copiedLock, fn func()) {
	defer c.Unlock(ctx)
	if c.Lock(ctx) {
		fn()
	}
}

// Another package may write its literals without the names of the fields.
type OpenLock struct {
	Client *redis.Client
	Key    string
}

func (l *OpenLock) Acquire(ctx context.Context) (bool, error) {
	return l.Client.SetNX(ctx, "open:"+l.Key, "1", time.Minute).Result()
}

func (l *OpenLock) Release(ctx context.Context) error {
	return l.Client.Del(ctx, "open:"+l.Key).Err()
}

// It cannot, where one of the fields is its package's own.
type ShutLock struct {
	Client *redis.Client
	key    string
}

func (l *ShutLock) Acquire(ctx context.Context) (bool, error) {
	return l.Client.SetNX(ctx, "shut:"+l.key, "1", time.Minute).Result()
}

func (l *ShutLock) Release(ctx context.Context) error {
	return l.Client.Del(ctx, "shut:"+l.key).Err()
}
