package lockrt

import (
	"context"
	"errors"
	"io"
	"math"
	"testing"
	"testing/synctest"
	"time"
)

// The tests of this package that use synctest run in a bubble: time is exact, and a
// goroutine that is left at the end fails the test.

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

// The answer to the acquisition took most of the lease. Do renews before the rest is over.
func TestRenewsAfterSlowAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const ttl = 6 * time.Second
		l := newFake(t, fate{after: ttl * 5 / 6}).locker()
		err := l.Do(t.Context(), "k", ttl, func(ctx context.Context) error {
			time.Sleep(10 * ttl)
			return ctx.Err()
		})
		if err != nil {
			t.Error(err)
		}
	})
}

// Renew says why it stopped: the end of its context, with the cause, and what the last
// request met.
func TestRenewEndsWithContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cause := errors.New("shutting down")
		loading := reply("LOADING Redis is loading")
		f := newFake(t)
		k, err := f.locker().Acquire(t.Context(), "k", time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Second, func() { cancel(cause) })
		for range 1000 {
			f.fates = append(f.fates, fate{before: time.Millisecond, err: loading})
		}
		err = k.Renew(ctx, time.Minute)
		for _, want := range []error{context.Canceled, cause, loading} {
			if !errors.Is(err, want) {
				t.Errorf("ended while Redis was loading: %v, want one that matches %v", err, want)
			}
		}
		err = k.Renew(ctx, time.Minute)
		for _, want := range []error{context.Canceled, cause} {
			if !errors.Is(err, want) {
				t.Errorf("had ended before: %v, want one that matches %v", err, want)
			}
		}
		f.next()
		if err := k.Release(t.Context()); err != nil {
			t.Error(err)
		}
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

// Renew leaves a request that hangs when its context ends, and the lock is still held.
func TestRenewLeavesHangingRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(t)
		k, err := f.locker().Acquire(t.Context(), "k", time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		f.next(fate{after: 10 * time.Second, lose: true})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		before := time.Now()
		err = k.Renew(ctx, time.Minute)
		if took := time.Since(before); took != time.Second {
			t.Errorf("took %v", took)
		}
		if !errors.Is(err, context.DeadlineExceeded) || !errors.Is(err, errNoAnswer) || k.Err() != nil {
			t.Errorf("%v; the lock: %v", err, k.Err())
		}
		if err := k.Release(t.Context()); err != nil {
			t.Error(err)
		}
		time.Sleep(10 * time.Second)
	})
}

// A lock that ended by MaxHold is lost once, whatever Release finds later.
func TestLostOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(t)
		told := 0
		l := f.locker(OnEvent(func(e Event) {
			if e.Kind == EventLost {
				told++
			}
		}))
		k, err := l.Acquire(t.Context(), "k", time.Minute, MaxHold(time.Second))
		if err != nil {
			t.Fatal(err)
		}
		<-k.Context().Done()
		f.put("k", "other", time.Minute)
		for range 2 {
			wantLost(t, k.Release(t.Context()), MaxHoldReached)
		}
		if told != 1 {
			t.Errorf("told of %d losses", told)
		}
		if f.value("k") != "other" {
			t.Error("the other's key was deleted")
		}
	})
}

// A release of a short lease is tried again: a connection that the server had closed costs
// one request.
func TestShortReleaseTriesAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(t)
		k, err := f.locker().Acquire(t.Context(), "k", 50*time.Millisecond)
		if err != nil {
			t.Fatal(err)
		}
		f.next(fate{lose: true})
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		if err := k.Release(ctx); err != nil {
			t.Error(err)
		}
		if f.value("k") != "" {
			t.Error("the key is left")
		}
	})
}
