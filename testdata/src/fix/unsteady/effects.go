package unsteady

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"
)

// The values are no tokens, and are made by calls that do more: those stay.
var (
	registered []string
	asked      int
)

var worker = register("worker")

func register(name string) string {
	registered = append(registered, name)
	return name
}

func onceRegistered(ctx context.Context, rdb *redis.Client, fn func()) {
	if !rdb.SetNX(ctx, "registered:lock", worker, time.Minute).Val() {
		return
	}
	defer rdb.Del(ctx, "registered:lock")
	fn()
}

func counted() string {
	asked++
	return "host"
}

func onceCounted(ctx context.Context, rdb *redis.Client, fn func()) {
	h := counted()
	if !rdb.SetNX(ctx, "counted:lock", h, time.Minute).Val() {
		return
	}
	defer rdb.Del(ctx, "counted:lock")
	fn()
}

func mustHost() string {
	h, err := os.Hostname()
	if err != nil {
		panic(err)
	}
	return h
}

func onceFailing(ctx context.Context, rdb *redis.Client, fn func()) {
	val := mustHost() // fails early
	if !rdb.SetNX(ctx, "failing:lock", val, time.Minute).Val() {
		return
	}
	defer rdb.Del(ctx, "failing:lock")
	fn()
}

func oncePair(ctx context.Context, rdb *redis.Client, fn func(int)) {
	n, h := asked+1, counted()
	if !rdb.SetNX(ctx, "pair:lock", h, time.Minute).Val() {
		return
	}
	defer rdb.Del(ctx, "pair:lock")
	fn(n)
}

func onceInline(ctx context.Context, rdb *redis.Client, fn func()) {
	if !rdb.SetNX(ctx, "inline:lock", counted(), time.Minute).Val() {
		return
	}
	defer rdb.Del(ctx, "inline:lock")
	fn()
}

// These only give a value, and go.
func quietHost() string {
	h, err := os.Hostname()
	if err != nil {
		h = "unknown"
	}
	return fmt.Sprintf("%s-%d", h, os.Getpid())
}

func onceQuiet(ctx context.Context, rdb *redis.Client, fn func()) {
	h := quietHost()
	if !rdb.SetNX(ctx, "quiet:lock", h, time.Minute).Val() {
		return
	}
	defer rdb.Del(ctx, "quiet:lock")
	fn()
}

func onceSecond(ctx context.Context, rdb *redis.Client, fn func()) {
	val := strconv.FormatInt(time.Now().Unix(), 10)
	if !rdb.SetNX(ctx, "second:lock", val, time.Minute).Val() {
		return
	}
	defer rdb.Del(ctx, "second:lock")
	fn()
}

func onceQuietInline(ctx context.Context, rdb *redis.Client, fn func()) {
	if !rdb.SetNX(ctx, "quiet-inline:lock", quietHost(), time.Minute).Val() {
		return
	}
	defer rdb.Del(ctx, "quiet-inline:lock")
	fn()
}

// A constant with an order for a tool stays, one with a comment goes with it.
//
//go:generate stringer -type=kind
const generated = "1"

// explained is what the lock holds.
const explained = "1"

func onceGenerated(ctx context.Context, rdb *redis.Client, fn func()) {
	if !rdb.SetNX(ctx, "generated:lock", generated, time.Minute).Val() {
		return
	}
	defer rdb.Del(ctx, "generated:lock")
	fn()
}

func onceExplained(ctx context.Context, rdb *redis.Client, fn func()) {
	if !rdb.SetNX(ctx, "explained:lock", explained, time.Minute).Val() {
		return
	}
	defer rdb.Del(ctx, "explained:lock")
	fn()
}

// A constant of the function goes, with the order behind it; one of several stays.
func onceLocal(ctx context.Context, rdb *redis.Client, fn func(string)) {
	const val = "1" //nolint:goconst // short
	if !rdb.SetNX(ctx, "local:lock", val, time.Minute).Val() {
		return
	}
	defer rdb.Del(ctx, "local:lock")
	const (
		locked = "2"
		name   = "name"
	)
	if !rdb.SetNX(ctx, "local:lock2", locked, time.Minute).Val() {
		return
	}
	defer rdb.Del(ctx, "local:lock2")
	fn(name)
}

// A helper that does more than send the command.
type remote struct{ rdb *redis.Client }

func wrapped(err error) error { return fmt.Errorf("remote: %w", err) }

func again(f func() error) error {
	if err := f(); err != nil {
		return f()
	}
	return nil
}

func (r *remote) Wrapped(ctx context.Context, key string) error {
	return wrapped(r.rdb.Del(ctx, key).Err())
}

func (r *remote) Again(ctx context.Context, key string) error {
	return again(func() error { return r.rdb.Del(ctx, key).Err() })
}

func (r *remote) Plain(ctx context.Context, key string) error { return r.rdb.Del(ctx, key).Err() }

func (r *remote) TouchWrapped(ctx context.Context, key string, ttl time.Duration) error {
	return wrapped(r.rdb.Expire(ctx, key, ttl).Err())
}

func (r *remote) TouchAgain(ctx context.Context, key string, ttl time.Duration) error {
	return again(func() error { return r.rdb.Expire(ctx, key, ttl).Err() })
}

func (r *remote) Touch(ctx context.Context, key string, ttl time.Duration) error {
	return r.rdb.Expire(ctx, key, ttl).Err()
}

func (r *remote) freed(ctx context.Context, token string) error {
	if !r.rdb.SetNX(ctx, "wrapped:lock", token, time.Minute).Val() {
		return errBusy
	}
	if err := r.Wrapped(ctx, "wrapped:lock"); err != nil {
		return err
	}
	if !r.rdb.SetNX(ctx, "again:lock", token, time.Minute).Val() {
		return errBusy
	}
	if err := r.Again(ctx, "again:lock"); err != nil {
		return err
	}
	if !r.rdb.SetNX(ctx, "plain:lock", token, time.Minute).Val() {
		return errBusy
	}
	return r.Plain(ctx, "plain:lock")
}

// What is given to a helper and does something stays.
func Discard(ctx context.Context, rdb *redis.Client, key string, _ string) { rdb.Del(ctx, key) }

func onceReason(ctx context.Context, rdb *redis.Client, token string) {
	if rdb.SetNX(ctx, "reason:lock", token, time.Minute).Val() {
		defer Discard(ctx, rdb, "reason:lock", counted())
	}
	if rdb.SetNX(ctx, "reason:lock2", token, time.Minute).Val() {
		defer Discard(ctx, rdb, "reason:lock2", "done")
	}
}

func (r *remote) touched(ctx context.Context, key, token string) error {
	if !r.rdb.SetNX(ctx, key, token, 0).Val() {
		return errBusy
	}
	return r.TouchWrapped(ctx, key, time.Minute)
}

func (r *remote) touchedAgain(ctx context.Context, key, token string) error {
	if !r.rdb.SetNX(ctx, key, token, 0).Val() {
		return errBusy
	}
	return r.TouchAgain(ctx, key, time.Minute)
}

func (r *remote) touchedPlain(ctx context.Context, key, token string) error {
	if !r.rdb.SetNX(ctx, key, token, 0).Val() {
		return errBusy
	}
	return r.Touch(ctx, key, time.Minute)
}

// Several keys in one Del: the others have to go first, and on the same client.
type shards struct {
	pool []*redis.Client
	last int
}

func (s *shards) next() *redis.Client {
	s.last++
	return s.pool[s.last%len(s.pool)]
}

func (s *shards) first() *redis.Client { return s.pool[0] }

func limited() context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	time.AfterFunc(time.Second, cancel)
	return ctx
}

func onceAside(ctx context.Context, rdb *redis.Client, token string) {
	if rdb.SetNX(ctx, "aside:lock", token, time.Minute).Val() {
		go rdb.Del(ctx, "aside:data", "aside:lock")
	}
}

func (s *shards) onceNext(ctx context.Context, token string) {
	if s.next().SetNX(ctx, "next:lock", token, time.Minute).Val() {
		defer s.next().Del(ctx, "next:data", "next:lock")
	}
}

func onceLimited(ctx context.Context, rdb *redis.Client, token string) {
	if rdb.SetNX(ctx, "limited:lock", token, time.Minute).Val() {
		defer rdb.Del(limited(), "limited:data", "limited:lock")
	}
}

func onceRequest(r *http.Request, rdb *redis.Client, token string) {
	if rdb.SetNX(r.Context(), "request:lock", token, time.Minute).Val() {
		defer rdb.Del(r.Context(), "request:data", "request:lock")
	}
}

func (s *shards) onceFirst(ctx context.Context, token string) {
	if s.first().SetNX(ctx, "first:lock", token, time.Minute).Val() {
		defer s.first().Del(context.WithoutCancel(ctx), "first:data", "first:lock")
	}
}
