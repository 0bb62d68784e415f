package lockrt_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	lockrt "github.com/locklint/locklint/runtime"
)

// A nested Do runs under the outer lease and sends nothing.
func TestNestedDo(t *testing.T) {
	c := functional(t)
	l := locker(t, c)
	depth := 0
	var nest func(ctx context.Context) error
	nest = func(ctx context.Context) error {
		if depth++; depth == 50 {
			return errors.New("deep")
		}
		return l.Do(ctx, "k", time.Minute, nest)
	}
	err := l.Do(t.Context(), "k", time.Minute, func(ctx context.Context) error {
		token := c.Get(ctx, "k").Val()
		err := nest(ctx)
		value(t, c, "k", token)
		return err
	})
	if err == nil || err.Error() != "deep" || depth != 50 {
		t.Errorf("depth %d: %v", depth, err)
	}
	value(t, c, "k", "")

	for name, try := range map[string]func(context.Context, string, time.Duration, ...lockrt.Option) (*lockrt.Lock, error){
		"Acquire": l.Acquire, "TryAcquire": l.TryAcquire,
	} {
		err := l.Do(t.Context(), "k", time.Minute, func(ctx context.Context) error {
			_, err := try(context.WithoutCancel(ctx), "k", time.Minute)
			return err
		})
		is(t, name+" in Do", err, lockrt.ErrHeld)
		k := acquire(t, l, "k", time.Minute)
		_, err = try(k.Context(), "k", time.Minute)
		is(t, name+" with a handle's context", err, lockrt.ErrHeld)
		if err := k.Release(t.Context()); err != nil {
			t.Error(err)
		}
		k, err = try(context.WithoutCancel(k.Context()), "k", time.Minute) // that lease has ended
		if err != nil {
			t.Errorf("%s with an old context: %v", name, err)
		} else if err := k.Release(t.Context()); err != nil {
			t.Error(err)
		}
	}

	// Another key, another Locker: locks of their own.
	err = l.Do(t.Context(), "k", time.Minute, func(ctx context.Context) error {
		return l.Do(ctx, "k2", time.Minute, func(ctx context.Context) error {
			if c.Exists(ctx, "k", "k2").Val() != 2 {
				t.Error("not two keys")
			}
			return l.Do(ctx, "k", time.Minute, func(ctx context.Context) error { // through k2 to k
				return l.Do(ctx, "k2", time.Minute, func(context.Context) error { return nil })
			})
		})
	})
	if err != nil {
		t.Error(err)
	}
	err = l.Do(t.Context(), "k", time.Minute, func(ctx context.Context) error {
		ctx, cancel := context.WithTimeout(ctx, 30*time.Millisecond)
		defer cancel()
		return locker(t, c).Do(ctx, "k", time.Minute, func(context.Context) error { t.Error("ran"); return nil })
	})
	is(t, "another Locker", err, lockrt.ErrHeld)
}

// The outer Do waits for a nested one that is still running when its own fn has
// returned, tells it to stop, and lets no other start.
func TestNestedOutlivesOuter(t *testing.T) {
	c := functional(t)
	l := locker(t, c)
	started, ended := make(chan struct{}), make(chan error, 1)
	var late context.Context
	err := l.Do(t.Context(), "k", time.Minute, func(ctx context.Context) error {
		late = ctx
		detached := context.WithoutCancel(ctx)
		go func() {
			ended <- l.Do(detached, "k", time.Minute, func(ctx context.Context) error {
				close(started)
				is(t, "the nested context", done(t, ctx), lockrt.ErrReleased)
				if c.Exists(context.Background(), "k").Val() != 1 {
					t.Error("the key was released while a nested fn was running")
				}
				return nil
			})
		}()
		<-started
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	if err := <-ended; err != nil {
		t.Errorf("nested: %v", err)
	}
	value(t, c, "k", "")
	for name, ctx := range map[string]context.Context{"ended": late, "detached": context.WithoutCancel(late)} {
		err := l.Do(ctx, "k", time.Minute, func(context.Context) error { t.Error("ran"); return nil })
		is(t, name, err, lockrt.ErrLost)
	}
}

func TestNestedArguments(t *testing.T) {
	c := functional(t)
	l := locker(t, c)
	ran := func(ran *bool) func(context.Context) error {
		return func(context.Context) error { *ran = true; return nil }
	}
	check := func(outer, inner []lockrt.Option, ttl time.Duration, wantRun bool) {
		t.Helper()
		yes := false
		err := l.Do(t.Context(), "k", time.Minute, func(ctx context.Context) error {
			return l.Do(ctx, "k", ttl, ran(&yes), inner...)
		}, outer...)
		if yes != wantRun || wantRun != (err == nil) {
			t.Errorf("ran %v: %v", yes, err)
		}
		if !wantRun {
			is(t, "nested", err, lockrt.ErrInvalid)
		}
	}
	fencing := []lockrt.Option{lockrt.Fencing()}
	check(nil, nil, time.Minute, true)
	check(nil, nil, time.Second, true)
	check(nil, nil, time.Minute+1, false)
	check(nil, fencing, time.Minute, false)
	check(fencing, fencing, time.Minute, true)
	check(fencing, nil, time.Minute, true)
	check(nil, []lockrt.Option{lockrt.MaxHold(-1)}, time.Minute, false)
	check(nil, []lockrt.Option{lockrt.MaxHold(1)}, time.Minute, true) // not applied
}

// A nested Do waits for its sibling no longer than its context, and not beyond the lease.
func TestNestedWait(t *testing.T) {
	s := start(t)
	c := s.Client(t)
	l := locker(t, c)
	err := l.Do(t.Context(), "k", 400*time.Millisecond, func(ctx context.Context) error {
		inside, leave := make(chan struct{}), make(chan struct{})
		first := make(chan error, 1)
		go func() {
			first <- l.Do(ctx, "k", 400*time.Millisecond, func(context.Context) error { close(inside); <-leave; return nil })
		}()
		<-inside
		short, cancel := context.WithTimeout(ctx, 20*time.Millisecond)
		defer cancel()
		is(t, "its own context", l.Do(short, "k", 400*time.Millisecond, func(context.Context) error { t.Error("ran"); return nil }),
			lockrt.ErrHeld, context.DeadlineExceeded)
		c.Del(context.Background(), "k")
		for name, ctx := range map[string]context.Context{"derived": ctx, "detached": context.WithoutCancel(ctx)} {
			err := l.Do(ctx, "k", 400*time.Millisecond, func(context.Context) error { t.Error("ran"); return nil })
			lostBy(t, name, err, lockrt.Missing)
		}
		close(leave)
		lostBy(t, "the nested Do that was running", <-first, lockrt.Missing)
		return fmt.Errorf("fn")
	})
	lostBy(t, "outer", err, lockrt.Missing)
}

// fn of a nested Do panics: the outer Do goes on, and the gate is open again.
func TestNestedPanic(t *testing.T) {
	c := functional(t)
	l := locker(t, c)
	err := l.Do(t.Context(), "k", time.Minute, func(ctx context.Context) error {
		func() {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			_ = l.Do(ctx, "k", time.Minute, func(context.Context) error { panic("boom") })
		}()
		return l.Do(ctx, "k", time.Minute, func(context.Context) error { return nil })
	})
	if err != nil {
		t.Error(err)
	}
	value(t, c, "k", "")
}
