package lockrt

import (
	"context"
	"errors"
	"io"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/redis/go-redis/v9"
)

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

// A context that ends in the pause after a lost reply: the key is taken back.
func TestContextEndsInPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(t, fate{err: io.EOF})
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Millisecond)
		defer cancel()
		_, err := f.locker().Acquire(ctx, "k", time.Minute)
		if !errors.Is(err, context.DeadlineExceeded) || !errors.Is(err, io.EOF) || errors.Is(err, ErrHeld) {
			t.Error(err)
		}
		time.Sleep(5 * time.Millisecond)
		if f.value("k") != "" {
			t.Error("the key is left")
		}
	})
}
