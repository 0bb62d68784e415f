package lockrt_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/locklint/locklint/internal/redistest"
	lockrt "github.com/locklint/locklint/runtime"
	"github.com/redis/go-redis/v9"
)

// These tests are about what each part of the API does when nothing goes wrong. They run on
// miniredis where no redis-server is installed.

func functional(t *testing.T) *redis.Client {
	t.Helper()
	noLeak(t)
	c := redis.NewClient(redistest.Functional(t))
	t.Cleanup(func() { _ = c.Close() })
	return c
}

func TestAcquireRelease(t *testing.T) {
	c := functional(t)
	l := locker(t, c)
	before := time.Now()
	k := acquire(t, l, "k", time.Minute)
	value(t, c, "k", k.Token())
	if k.Key() != "k" || len(k.Token()) < 26 || k.Fence() != 0 || k.Err() != nil || k.Context().Err() != nil {
		t.Errorf("%q %q %d %v", k.Key(), k.Token(), k.Fence(), k.Err())
	}
	if d := k.Deadline().Sub(before); d < 50*time.Second || d > time.Minute {
		t.Errorf("deadline in %v", d)
	}
	if d := c.PTTL(t.Context(), "k").Val(); d < 50*time.Second || d > time.Minute {
		t.Errorf("ttl %v", d)
	}
	_, err := l.TryAcquire(t.Context(), "k", time.Minute)
	is(t, "TryAcquire in the same Locker", err, lockrt.ErrHeld)
	_, err = locker(t, c).TryAcquire(t.Context(), "k", time.Minute)
	is(t, "TryAcquire in another", err, lockrt.ErrHeld)

	deadline := k.Deadline()
	if err := k.Renew(t.Context(), 2*time.Minute); err != nil {
		t.Fatal(err)
	}
	if got := k.Deadline().Sub(deadline); got < 50*time.Second {
		t.Errorf("Renew moved the deadline by %v", got)
	}
	if err := k.Renew(t.Context(), time.Second); err != nil { // never shortens
		t.Fatal(err)
	}
	if got := k.Deadline().Sub(deadline); got < 50*time.Second {
		t.Errorf("a short Renew moved the deadline to %v", got)
	}
	if d := c.PTTL(t.Context(), "k").Val(); d < 100*time.Second {
		t.Errorf("ttl %v after a short Renew", d)
	}

	if err := k.Release(t.Context()); err != nil {
		t.Fatal(err)
	}
	value(t, c, "k", "")
	is(t, "Err", k.Err(), lockrt.ErrReleased)
	is(t, "cause", context.Cause(k.Context()), lockrt.ErrReleased)
	is(t, "Renew", k.Renew(t.Context(), time.Minute), lockrt.ErrReleased)

	next := acquire(t, l, "k", time.Minute)
	if next.Token() == k.Token() {
		t.Error("two acquisitions have one token")
	}
	if err := next.Release(t.Context()); err != nil {
		t.Error(err)
	}
}

// Every client that sends at once will do.
func TestRing(t *testing.T) {
	noLeak(t)
	o := redistest.Functional(t)
	ring := redis.NewRing(&redis.RingOptions{
		Addrs: map[string]string{"a": o.Addr, "b": o.Addr},
		NewClient: func(ro *redis.Options) *redis.Client {
			ro.Network = o.Network
			return redis.NewClient(ro)
		},
	})
	defer ring.Close()
	for _, l := range []*lockrt.Locker{locker(t, ring), locker(t, ring, lockrt.Fencing())} {
		k := acquire(t, l, "k", time.Minute)
		value(t, ring, "k", k.Token())
		if err := errors.Join(k.Renew(t.Context(), time.Minute), k.Release(t.Context())); err != nil {
			t.Error(err)
		}
		value(t, ring, "k", "")
	}
}

// The lock's own context may be passed to its methods.
func TestOwnContext(t *testing.T) {
	c := functional(t)
	l := locker(t, c)
	for range 2 {
		k := acquire(t, l, "k", time.Minute)
		if err := k.Renew(k.Context(), time.Minute); err != nil {
			t.Error(err)
		}
		if err := k.Release(k.Context()); err != nil {
			t.Error(err)
		}
		value(t, c, "k", "")
	}
	k := acquire(t, l, "k", time.Minute) // from many goroutines at once
	var wg sync.WaitGroup
	ctxs := make([]context.Context, 8)
	for i := range ctxs {
		wg.Go(func() { ctxs[i] = k.Context() })
	}
	wg.Wait()
	for _, ctx := range ctxs {
		if ctx != ctxs[0] || ctx.Err() != nil {
			t.Error("not one live context")
		}
	}
	if err := k.Release(t.Context()); err != nil {
		t.Error(err)
	}
}

// The lock's context has the values of Acquire's, and not its end.
func TestContextValues(t *testing.T) {
	l := locker(t, functional(t))
	type key struct{}
	ctx, cancel := context.WithTimeout(context.WithValue(t.Context(), key{}, "v"), time.Minute)
	k, err := l.Acquire(ctx, "k", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	lease := k.Context()
	if lease.Value(key{}) != "v" || lease.Err() != nil {
		t.Errorf("value %v, err %v", lease.Value(key{}), lease.Err())
	}
	if _, ok := lease.Deadline(); ok {
		t.Error("a deadline that a renewal would move")
	}
	child, stop := context.WithCancel(lease)
	defer stop()
	if err := k.Release(t.Context()); err != nil {
		t.Fatal(err)
	}
	is(t, "a derived context", done(t, child), lockrt.ErrReleased)
}

func TestDo(t *testing.T) {
	c := functional(t)
	l := locker(t, c)
	mine := errors.New("mine")
	for _, want := range []error{nil, mine} {
		ran := false
		err := l.Do(t.Context(), "k", time.Minute, func(ctx context.Context) error {
			ran = true
			if c.Exists(ctx, "k").Val() != 1 || ctx.Err() != nil {
				t.Error("fn runs without the lock")
			}
			return want
		})
		if err != want || !ran { // the very error, where it is the only one
			t.Errorf("Do: %v, ran %v", err, ran)
		}
		value(t, c, "k", "")
	}
	k := acquire(t, l, "k", time.Minute)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	err := l.Do(ctx, "k", time.Minute, func(context.Context) error { t.Error("fn ran without the lock"); return nil })
	is(t, "Do of a held key", err, lockrt.ErrHeld, context.DeadlineExceeded)
	if err := k.Release(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestFence(t *testing.T) {
	c := functional(t)
	l := locker(t, c, lockrt.Fencing())
	var last int64
	rises := func(n int64) {
		t.Helper()
		if n <= last {
			t.Errorf("fence %d after %d", n, last)
		}
		last = n
	}
	for range 100 {
		k := acquire(t, l, "k", time.Minute)
		rises(k.Fence())
		if got := lockrt.Fence(k.Context()); got != k.Fence() {
			t.Errorf("Fence of the context is %d, want %d", got, k.Fence())
		}
		if err := k.Release(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	c.Del(t.Context(), "{k}:fence") // evicted, flushed, not replicated
	k := acquire(t, l, "k", time.Minute)
	rises(k.Fence())
	if err := k.Release(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.Set(t.Context(), "{k}:fence", last+1e12, time.Hour) // the server's clock was set back by days
	for range 3 {
		if err := l.Do(t.Context(), "k", time.Minute, func(ctx context.Context) error {
			rises(lockrt.Fence(ctx))
			return l.Do(ctx, "other", time.Minute, func(inner context.Context) error {
				if lockrt.Fence(inner) == lockrt.Fence(ctx) {
					t.Error("not the innermost lock's fence")
				}
				return nil
			})
		}); err != nil {
			t.Fatal(err)
		}
	}
	if last < 1e12 {
		t.Errorf("fence %d: the counter was not used", last)
	}
	if d := c.PTTL(t.Context(), "{k}:fence").Val(); d < 23*time.Hour || d > 25*time.Hour {
		t.Errorf("the counter lives for %v", d)
	}
	if lockrt.Fence(t.Context()) != 0 {
		t.Error("a fence without a lock")
	}
}

func TestCompareAnd(t *testing.T) {
	c := functional(t)
	ctx := t.Context()
	for _, token := range []any{"token", "", []byte{0, 255, 13, 10}, 42, 1.5, true, time.Hour, time.Unix(0, 0)} {
		t.Run(fmt.Sprintf("%T %v", token, token), func(t *testing.T) {
			if err := c.Set(ctx, "k", token, time.Minute).Err(); err != nil {
				t.Fatal(err)
			}
			for _, wrong := range []any{"other", "token2", "toke", 43} {
				if n, err := lockrt.CompareAndDelete(ctx, c, "k", wrong).Int(); n != 0 || err != nil {
					t.Errorf("delete with %v: %d, %v", wrong, n, err)
				}
				if n, err := lockrt.CompareAndExpire(ctx, c, "k", wrong, time.Hour).Int(); n != 0 || err != nil {
					t.Errorf("expire with %v: %d, %v", wrong, n, err)
				}
			}
			if d := c.PTTL(ctx, "k").Val(); d > time.Minute {
				t.Errorf("ttl %v", d)
			}
			if ok, err := lockrt.CompareAndExpire(ctx, c, "k", token, time.Hour).Bool(); !ok || err != nil {
				t.Errorf("expire: %v, %v", ok, err)
			}
			if d := c.PTTL(ctx, "k").Val(); d < 59*time.Minute || d > time.Hour {
				t.Errorf("ttl %v", d)
			}
			if n, err := lockrt.CompareAndDelete(ctx, c, "k", token).Int(); n != 1 || err != nil {
				t.Errorf("delete: %d, %v", n, err)
			}
			if n, err := lockrt.CompareAndDelete(ctx, c, "k", token).Int(); n != 0 || err != nil {
				t.Errorf("delete again: %d, %v", n, err)
			}
		})
	}
	if err := lockrt.CompareAndDelete(ctx, c, "k", struct{ A int }{1}).Err(); err == nil {
		t.Error("a struct is no value of a key")
	}

	pipe := c.Pipeline()
	set := pipe.Set(ctx, "k", "v", time.Minute)
	del := lockrt.CompareAndDelete(ctx, pipe, "k", "v")
	if _, err := pipe.Exec(ctx); err != nil || set.Err() != nil {
		t.Fatal(err)
	}
	if n, err := del.Int(); n != 1 || err != nil {
		t.Errorf("in a pipeline: %d, %v", n, err)
	}
}

func TestEvents(t *testing.T) {
	c := functional(t)
	var mu sync.Mutex
	var seen []string
	record := lockrt.OnEvent(func(e lockrt.Event) {
		mu.Lock()
		defer mu.Unlock()
		seen = append(seen, e.Kind.String())
		if e.Key != "k" || e.Took < 0 || e.Held < 0 || (e.Err != nil) != (e.Kind == lockrt.EventLost) {
			t.Errorf("%+v", e)
		}
	})
	l := locker(t, c, record)
	k := acquire(t, l, "k", time.Minute)
	if err := k.Renew(t.Context(), time.Minute); err != nil {
		t.Fatal(err)
	}
	other := locker(t, c, record)
	got := make(chan *lockrt.Lock)
	go func() {
		k, err := other.Acquire(context.Background(), "k", time.Minute)
		if err != nil {
			t.Error(err)
		}
		got <- k
	}()
	redistest.WaitFor(t, "contention", func(context.Context) bool {
		mu.Lock()
		defer mu.Unlock()
		return slices.Contains(seen, "contended")
	})
	if err := k.Release(t.Context()); err != nil {
		t.Fatal(err)
	}
	next := <-got
	c.Del(t.Context(), "k")
	is(t, "Release", next.Release(t.Context()), lockrt.ErrLost)
	mu.Lock()
	defer mu.Unlock()
	want := "acquired renewed contended released acquired lost"
	if got := strings.Join(seen, " "); got != want && got != strings.Replace(want, "released acquired", "acquired released", 1) {
		t.Errorf("events %s, want %s", got, want)
	}
}

func TestErrorTexts(t *testing.T) {
	lost := &lockrt.LostError{Key: "k", Reason: lockrt.Expired, Err: errors.New("connection refused")}
	if got, want := lost.Error(), `lockrt: lock lost: key "k": expired: connection refused`; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	for _, s := range []fmt.Stringer{lockrt.Expired, lockrt.Missing, lockrt.Taken, lockrt.MaxHoldReached,
		lockrt.EventContended, lockrt.EventAcquired, lockrt.EventRenewed, lockrt.EventRenewFailed, lockrt.EventLost, lockrt.EventReleased, lockrt.EventReleaseFailed} {
		if s.String() == "" || strings.Contains(s.String(), "(") {
			t.Errorf("%#v has the text %q", s, s)
		}
	}
	if got := lockrt.Reason(99).String() + lockrt.EventKind(99).String(); got != "Reason(99)EventKind(99)" {
		t.Error(got)
	}
}

// An uncontended pair is two commands and, with a ctx that cannot end, at most 22 allocations
// of 900 bytes. The goroutine that lets Acquire and Release leave costs a few more.
func TestPairCost(t *testing.T) {
	s := start(t)
	c := s.Client(t)
	l := locker(t, c)
	cancellable, cancel := context.WithCancel(context.Background())
	defer cancel()
	for _, tt := range []struct {
		name          string
		ctx           context.Context
		use           bool
		allocs, bytes float64
	}{
		{"plain", context.Background(), false, 22, 900},
		{"cancellable", cancellable, false, 26, 1050},
		{"with Context", context.Background(), true, 26, 1200},
	} {
		if raceEnabled {
			break // the race detector allocates
		}
		pair := func() {
			k, err := l.Acquire(tt.ctx, "k", time.Minute)
			if err == nil {
				if tt.use {
					k.Context()
				}
				err = k.Release(tt.ctx)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		const runs = 2000
		var before, after runtime.MemStats
		pair() // the connection, the scripts
		runtime.ReadMemStats(&before)
		allocs := testing.AllocsPerRun(runs-1, pair) // and one to warm up
		runtime.ReadMemStats(&after)
		bytes := float64(after.TotalAlloc-before.TotalAlloc) / runs
		if allocs > tt.allocs || bytes > tt.bytes {
			t.Errorf("%s: %v allocations, %.0f bytes; at most %v and %v", tt.name, allocs, bytes, tt.allocs, tt.bytes)
		}
		t.Logf("%s: %v allocations, %.0f bytes", tt.name, allocs, bytes)
	}
	c.ConfigResetStat(t.Context())
	const pairs = 100
	for range pairs {
		if err := acquire(t, l, "k", time.Minute).Release(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	stats := c.Info(t.Context(), "commandstats").Val()
	if !strings.Contains(stats, fmt.Sprintf("cmdstat_set:calls=%d,", pairs)) ||
		!strings.Contains(stats, fmt.Sprintf("cmdstat_evalsha:calls=%d,", pairs)) {
		t.Errorf("not two commands a pair:\n%s", stats)
	}
}
