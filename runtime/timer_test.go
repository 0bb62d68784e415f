package lockrt

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/redis/go-redis/v9"
)

// These tests run in a synctest bubble: time is exact, and a goroutine that is left at
// the end fails the test.

func TestToldAtDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(t)
		l := f.locker()
		const ttl = 3 * time.Second
		before := time.Now()
		k, err := l.Acquire(t.Context(), "k", ttl)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := k.Deadline(), before.Add(ttl-ttl/100-2*time.Millisecond); !got.Equal(want) {
			t.Errorf("deadline %v after the send, want %v", got.Sub(before), want.Sub(before))
		}
		ctx := k.Context()
		<-ctx.Done()
		if !time.Now().Equal(k.Deadline()) || !time.Now().Before(f.until("k")) {
			t.Errorf("told %v after the deadline, %v before the key is free", time.Since(k.Deadline()), time.Until(f.until("k")))
		}
		wantLost(t, context.Cause(ctx), Expired)
		wantLost(t, k.Err(), Expired)
		wantLost(t, k.Release(t.Context()), Expired)
		if f.value("k") != "" {
			t.Error("the key is left, although it was still ours")
		}
	})
}

// Err, Done, Value and Cause compare the clock themselves: a process that was stopped
// sees the end of its lease before the timer's goroutine runs. Here no timer can have fired: the
// clock of the bubble stands still while this goroutine runs, so the deadline is moved instead.
func TestClockComesBeforeTimer(t *testing.T) {
	for name, look := range map[string]func(*Lock, context.Context) error{
		"Lock.Err": func(k *Lock, _ context.Context) error { return k.Err() },
		"Err": func(_ *Lock, ctx context.Context) error {
			if ctx.Err() == nil {
				return nil
			}
			return context.Cause(ctx)
		},
		"Cause": func(_ *Lock, ctx context.Context) error { return context.Cause(ctx) },
		"Done": func(_ *Lock, ctx context.Context) error {
			select {
			case <-ctx.Done():
				return context.Cause(ctx)
			default:
				return nil
			}
		},
		"Release": func(k *Lock, ctx context.Context) error { return k.Release(ctx) },
		"Renew":   func(k *Lock, ctx context.Context) error { return k.Renew(context.Background(), time.Minute) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := newFake(t).locker()
				k, err := l.Acquire(t.Context(), "k", time.Minute)
				if err != nil {
					t.Fatal(err)
				}
				ctx := k.Context()
				if k.Err() != nil || ctx.Err() != nil {
					t.Fatal("lost at once")
				}
				k.mu.Lock()
				k.deadline = l.now()
				k.mu.Unlock()
				wantLost(t, look(k, ctx), Expired)
				k.Release(t.Context())
			})
		})
	}
}

func wantLost(t *testing.T, err error, reason Reason) {
	t.Helper()
	var lost *LostError
	if !errors.As(err, &lost) || lost.Reason != reason || !errors.Is(err, ErrLost) {
		t.Errorf("%v, want lost: %v", err, reason)
	}
}

// P10, with exact time: Acquire returns at the moment its context ends, whatever is outstanding.
func TestReturnsWhenContextEnds(t *testing.T) {
	for _, applied := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			f := newFake(t, fate{before: time.Millisecond, after: 5 * time.Second, lose: !applied})
			l := f.locker()
			ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
			defer cancel()
			before := time.Now()
			_, err := l.Acquire(ctx, "k", time.Minute)
			if took := time.Since(before); took != 100*time.Millisecond {
				t.Errorf("took %v", took)
			}
			if !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, ErrHeld) {
				t.Error(err)
			}
			time.Sleep(10 * time.Millisecond)
			if f.value("k") != "" {
				t.Error("the key was not taken back at once")
			}
			time.Sleep(time.Minute / 2) // the late answer
		})
	}
}

// P9, with exact time.
func TestWaitEndsWithContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(t)
		f.put("k", "other", time.Hour)
		l := f.locker()
		var wg sync.WaitGroup
		for range 3 { // one asks, two stand in line
			wg.Go(func() {
				ctx, cancel := context.WithTimeout(t.Context(), 1234*time.Millisecond)
				defer cancel()
				before := time.Now()
				_, err := l.Acquire(ctx, "k", time.Minute)
				if !errors.Is(err, ErrHeld) || !errors.Is(err, context.DeadlineExceeded) {
					t.Error(err)
				}
				if took := time.Since(before); took != 1234*time.Millisecond {
					t.Errorf("took %v", took)
				}
			})
		}
		wg.Wait()
		if len(l.lines) != 0 {
			t.Error("a line is left")
		}
		time.Sleep(time.Second) // a request may have been outstanding
	})
}

// go-redis may see the end of a context before Acquire does, and return its error. The
// wait was for another holder all the same.
func TestClientSeesContextFirst(t *testing.T) {
	for range 50 {
		synctest.Test(t, func(t *testing.T) {
			f := newFake(t)
			f.put("k", "other", time.Hour)
			l, err := New(hasty{f})
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), 5500*time.Microsecond)
			defer cancel()
			_, err = l.Acquire(ctx, "k", time.Minute)
			if !errors.Is(err, ErrHeld) || !errors.Is(err, context.DeadlineExceeded) {
				t.Error(err)
			}
			time.Sleep(time.Second)
		})
	}
}

// hasty returns when the context ends.
type hasty struct{ *fakeRedis }

func (h hasty) Process(ctx context.Context, cmd redis.Cmder) error {
	done := make(chan error, 1)
	go func() { done <- h.fakeRedis.Process(ctx, cmd) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// P13: the answer comes when the lease is over. It is given back, and asked for again.
func TestP13LateAnswer(t *testing.T) {
	const ttl = 100 * time.Millisecond
	slow := fate{after: 98 * time.Millisecond} // the key still exists, the lease is over
	synctest.Test(t, func(t *testing.T) {
		f := newFake(t, slow)
		l := f.locker()
		k, err := l.Acquire(t.Context(), "k", ttl)
		if err != nil {
			t.Fatal(err)
		}
		if left := time.Until(k.Deadline()); left < ttl/2 {
			t.Errorf("%v to the deadline", left)
		}
		if f.value("k") != k.Token() {
			t.Error("the key is not this lock's")
		}
		if err := k.Release(t.Context()); err != nil {
			t.Error(err)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		f := newFake(t, slow)
		_, err := f.locker().TryAcquire(t.Context(), "k", ttl)
		wantLost(t, err, Expired)
		time.Sleep(2 * time.Millisecond)
		if f.value("k") != "" {
			t.Error("the late lock was not given back")
		}
	})
	synctest.Test(t, func(t *testing.T) { // every answer is late
		f := newFake(t)
		for range 50 {
			f.fates = append(f.fates, fate{after: 200 * time.Millisecond})
		}
		_, err := f.locker().Acquire(context.Background(), "k", ttl)
		wantLost(t, err, Expired)
		time.Sleep(time.Second)
	})
}

// P14: a renewal is applied but its answer is lost. The deadline stands until one is confirmed.
func TestP14LostRenewalReply(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(t)
		l := f.locker()
		const ttl = 3 * time.Second
		k, err := l.Acquire(t.Context(), "k", ttl, AutoRenew(), MaxHold(time.Hour))
		if err != nil {
			t.Fatal(err)
		}
		before := k.Deadline()
		f.next(fate{err: io.EOF})
		for f.requests()["renew"] == 0 {
			time.Sleep(time.Millisecond)
		}
		time.Sleep(2 * time.Millisecond)
		if f.requests()["renew"] != 1 || !f.until("k").After(before.Add(ttl/5)) {
			t.Fatal("no renewal was applied")
		}
		if got := k.Deadline(); !got.Equal(before) {
			t.Errorf("an unconfirmed renewal moved the deadline by %v", got.Sub(before))
		}
		time.Sleep(ttl / 10) // the next comes soon
		if got := k.Deadline(); !got.After(before.Add(ttl / 3)) {
			t.Errorf("a confirmed renewal moved the deadline by %v", got.Sub(before))
		}
		if k.Err() != nil {
			t.Error(k.Err())
		}
		if err := k.Release(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// P15: renewals fail or hang, and a later one comes in time.
func TestP15FailingRenewals(t *testing.T) {
	for name, bad := range map[string]fate{
		"fail":  {lose: true},
		"hang":  {lose: true, after: 5 * time.Second},
		"reply": {err: reply("LOADING Redis is loading the dataset in memory")},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFake(t)
				l := f.locker()
				err := l.Do(t.Context(), "k", 3*time.Second, func(ctx context.Context) error {
					f.next(bad, bad)
					time.Sleep(20 * time.Second)
					return ctx.Err()
				})
				if err != nil {
					t.Error(err)
				}
				if n := f.requests()["renew"]; n < 15 {
					t.Errorf("%d renewals in 20 s", n)
				}
				time.Sleep(10 * time.Second)
			})
		})
	}
	synctest.Test(t, func(t *testing.T) { // none comes through
		f := newFake(t)
		l := f.locker()
		err := l.Do(t.Context(), "k", 3*time.Second, func(ctx context.Context) error {
			hang := fate{lose: true, after: time.Minute}
			f.next(hang, hang, hang, hang, hang, hang, hang, hang)
			<-ctx.Done()
			if !time.Now().Before(f.until("k")) {
				t.Error("told after the key was free")
			}
			return nil
		})
		wantLost(t, err, Expired)
		time.Sleep(2 * time.Minute)
	})
}

// P26: requests hold spans of time, never points in time.
func TestP26NoPointsInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(t, fate{err: io.EOF})
		l := f.locker()
		k, err := l.Acquire(t.Context(), "k", time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(k.Renew(t.Context(), time.Minute), k.Release(t.Context())); err != nil {
			t.Fatal(err)
		}
		if n := f.requests(); n["set"] != 1 || n["reclaim"] != 1 || n["renew"] != 1 || n["release"] != 1 {
			t.Errorf("requests %v", n)
		}
		for _, args := range f.sent {
			for _, a := range args {
				if n, ok := a.(int64); ok && n != time.Minute.Milliseconds() {
					t.Errorf("%v has the number %d", args, n)
				}
			}
		}
	})
}

func TestMillis(t *testing.T) {
	for ttl, want := range map[time.Duration]int64{
		time.Millisecond: 1, 1: 1, 1500 * time.Microsecond: 2, 20*time.Millisecond + 1: 21, time.Second: 1000,
		math.MaxInt64: math.MaxInt64/1_000_000 + 1,
	} {
		if got := millis(ttl); got != want {
			t.Errorf("millis(%v) = %d, want %d", ttl, got, want)
		}
	}
	for _, ttl := range []time.Duration{MinTTL, time.Second, math.MaxInt64} {
		if got := lease(ttl); got <= 0 || got >= ttl || time.Hour+got <= 0 {
			t.Errorf("lease(%v) = %v", ttl, got)
		}
	}
}

// Replies of a server that cannot serve now are waited for, within bounds. LOADING of P29 is here.
func TestTransientReplies(t *testing.T) {
	for _, r := range []string{"LOADING Redis is loading", "READONLY You can't write", "TRYAGAIN Multiple keys",
		"CLUSTERDOWN The cluster is down", "MASTERDOWN Link", "NOREPLICAS Not enough", "BUSY Redis is busy",
		"ERR max number of clients reached"} {
		synctest.Test(t, func(t *testing.T) {
			bad := fate{before: time.Millisecond, err: reply(r)}
			f := newFake(t, bad, bad, bad)
			l := f.locker()
			k, err := l.TryAcquire(t.Context(), "k", time.Minute)
			if err != nil {
				t.Fatalf("%s: %v", r, err)
			}
			if n := f.requests(); n["set"] != 4 || n["reclaim"] != 0 {
				t.Errorf("%s: %v: a refused request is not an unknown one", r, n)
			}
			f.next(bad, bad)
			if err := k.Release(t.Context()); err != nil {
				t.Errorf("%s: %v", r, err)
			}
		})
	}
	synctest.Test(t, func(t *testing.T) { // for ever
		f := newFake(t)
		for range 100_000 {
			f.fates = append(f.fates, fate{before: time.Millisecond, err: reply("LOADING data")})
		}
		before := time.Now()
		_, err := f.locker().Acquire(context.Background(), "k", time.Minute)
		if took := time.Since(before); took < faultWindow || took > faultWindow+time.Second || errors.Is(err, ErrHeld) {
			t.Errorf("%v after %v", err, took)
		}
		before = time.Now()
		_, err = f.locker().Acquire(context.Background(), "k", time.Second)
		if took := time.Since(before); took > 2*time.Second || err == nil {
			t.Errorf("%v after %v, want the ttl", err, took)
		}
	})
}

// Errors that no other try can help are returned at once.
func TestFinalReplies(t *testing.T) {
	for _, e := range []error{reply("NOPERM no"), reply("WRONGTYPE no"), reply("OOM no"), reply("MISCONF no"),
		reply("NOAUTH no"), reply("ERR unknown command 'evalsha'"), redis.ErrClosed} {
		synctest.Test(t, func(t *testing.T) {
			f := newFake(t, fate{err: e})
			_, err := f.locker().Acquire(t.Context(), "k", time.Minute)
			if !errors.Is(err, e) || errors.Is(err, ErrHeld) || len(f.sent) != 1 {
				t.Errorf("%v after %d requests", err, len(f.sent))
			}
		})
	}
}

// A request that never left, for want of a connection, needs no reclaiming.
func TestUnsentRequests(t *testing.T) {
	for _, e := range []error{redis.ErrPoolTimeout, redis.ErrPoolExhausted, fmt.Errorf("wrapped: %w", redis.ErrPoolTimeout)} {
		synctest.Test(t, func(t *testing.T) {
			f := newFake(t, fate{err: e})
			k, err := f.locker().Acquire(t.Context(), "k", time.Minute)
			if err != nil {
				t.Fatal(err)
			}
			if f.requests()["set"] != 2 {
				t.Errorf("%v: %v", e, f.requests())
			}
			k.Release(t.Context())
		})
	}
}

// Do renews until fn has returned, also after its ctx has ended: fn may be cleaning up.
func TestRenewsWhileCleaningUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(t)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		err := f.locker().Do(ctx, "k", 3*time.Second, func(ctx context.Context) error {
			<-ctx.Done()
			if !errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
				t.Error(context.Cause(ctx))
			}
			time.Sleep(30 * time.Second)
			if f.value("k") == "" {
				t.Error("the key is gone before fn has returned")
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
		if f.value("k") != "" {
			t.Error("the key is left")
		}
	})
}

// MaxHold is exact, and stops the renewal.
func TestMaxHoldStopsRenewal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(t)
		l := f.locker(AutoRenew(), MaxHold(10*time.Second))
		k, err := l.Acquire(t.Context(), "k", 3*time.Second)
		if err != nil {
			t.Fatal(err)
		}
		before := time.Now()
		<-k.Context().Done()
		if held := time.Since(before); held != 10*time.Second {
			t.Errorf("held for %v", held)
		}
		n := f.requests()["renew"]
		if n < 8 || n > 12 {
			t.Errorf("%d renewals in 10 s", n)
		}
		time.Sleep(time.Minute)
		if got := f.requests()["renew"]; got != n {
			t.Error("renewed after MaxHold")
		}
		// The key has run out by now.
		wantLost(t, k.Release(t.Context()), MaxHoldReached)
	})
}

// A handle that is forgotten does not block its own process for longer than the lease.
func TestForgottenHandle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(t)
		l := f.locker()
		if _, err := l.Acquire(t.Context(), "k", time.Second); err != nil {
			t.Fatal(err)
		}
		if _, err := l.TryAcquire(t.Context(), "k", time.Second); !errors.Is(err, ErrHeld) {
			t.Error(err)
		}
		before := time.Now()
		for range 3 { // each is forgotten, too
			k, err := l.Acquire(t.Context(), "k", time.Second)
			if err != nil {
				t.Fatal(err)
			}
			if took := time.Since(before); took < 900*time.Millisecond || took > 1200*time.Millisecond {
				t.Errorf("the next Acquire took %v", took)
			}
			before = time.Now()
			_ = k
		}
		time.Sleep(2 * time.Second)
		if k, err := l.TryAcquire(t.Context(), "k", time.Second); err != nil {
			t.Error(err)
		} else if err := k.Release(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// Handles that are forgotten, each on a key of its own, do not pile up.
func TestForgottenHandlesGo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newFake(t).locker()
		most := 0
		for i := range 3000 {
			if _, err := l.TryAcquire(context.Background(), fmt.Sprint("k", i), 50*time.Millisecond); err != nil {
				t.Fatal(err)
			}
			most = max(most, len(l.lines))
		}
		// One is taken each millisecond, so about 50 are held at a time.
		if most > 300 {
			t.Errorf("%d records for 50 leases", most)
		}
	})
}

// A lock that was held beyond MaxHold and then ran out was not released.
func TestReleaseAfterMaxHoldAndTTL(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newFake(t).locker()
		k, err := l.Acquire(t.Context(), "k", time.Second, MaxHold(time.Millisecond))
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * time.Second)
		for range 2 {
			wantLost(t, k.Release(t.Context()), Expired)
		}
	})
}

// A waiter that first stands in line and then meets another process's lock is contended once.
func TestContendedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(t)
		n := 0
		l := f.locker(OnEvent(func(e Event) {
			if e.Kind == EventContended {
				n++
			}
		}))
		k, err := l.Acquire(t.Context(), "k", time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			time.Sleep(time.Second)
			f.put("k", "other", time.Minute)
			wantLost(t, k.Release(context.Background()), Taken)
		}()
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		if _, err := l.Acquire(ctx, "k", time.Minute); !errors.Is(err, ErrHeld) {
			t.Error(err)
		}
		if n != 1 {
			t.Errorf("%d events", n)
		}
		time.Sleep(time.Second)
	})
}

// The line of one key is first come, first served, and asks Redis only at its head.
func TestLineIsInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(t)
		l := f.locker()
		first, err := l.Acquire(t.Context(), "k", time.Hour)
		if err != nil {
			t.Fatal(err)
		}
		var mu sync.Mutex
		var order []int
		var wg sync.WaitGroup
		for i := range 20 {
			ctx := t.Context()
			if i%5 == 4 { // these leave the line from its middle
				var cancel context.CancelFunc
				ctx, cancel = context.WithTimeout(ctx, 30*time.Second)
				defer cancel()
			}
			wg.Go(func() {
				k, err := l.Acquire(ctx, "k", time.Hour)
				if err != nil {
					return
				}
				mu.Lock()
				order = append(order, i)
				mu.Unlock()
				time.Sleep(time.Second)
				if err := k.Release(t.Context()); err != nil {
					t.Error(err)
				}
			})
			synctest.Wait()
		}
		time.Sleep(time.Minute)
		if n := len(f.sent); n != 1 {
			t.Errorf("%d requests while the key was held in this process", n)
		}
		if err := first.Release(t.Context()); err != nil {
			t.Error(err)
		}
		wg.Wait()
		if len(order) != 16 || !slices.IsSorted(order) {
			t.Errorf("order %v", order)
		}
		if n := len(f.sent); n != 2*17 {
			t.Errorf("%d requests for 17 pairs", n)
		}
		if len(l.lines) != 0 {
			t.Error("a line is left")
		}
	})
}

// A pause is random between its bounds, and its bound doubles.
func TestPauses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, p := range []pauses{
			{shortest: 2 * time.Millisecond, limit: 4 * time.Millisecond, longest: 64 * time.Millisecond},
			{shortest: time.Second, limit: 2 * time.Second, longest: time.Second},
			{shortest: 1, limit: 2, longest: 100 * 365 * 24 * time.Hour},
		} {
			limit := p.limit
			for range 12 {
				before := time.Now()
				if !p.sleep(t.Context()) {
					t.Fatal("ctx has not ended")
				}
				limit = min(limit, p.longest)
				if d := time.Since(before); d < max(p.shortest, limit/2) || d > limit {
					t.Errorf("%v, want between %v and %v", d, max(p.shortest, limit/2), limit)
				}
				limit *= 2
			}
			p.stop()
		}
	})
}
