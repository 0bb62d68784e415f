package lockrt

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

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
