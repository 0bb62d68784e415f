package lockrt

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// Nested Do's of one fn exclude one another, also below one another, and also where a
// context was detached.
func TestNestedExclusion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newFake(t).locker()
		running, runs := 0, 0
		work := func(context.Context) error {
			if running++; running != 1 {
				t.Errorf("%d nested fn at a time", running)
			}
			time.Sleep(time.Millisecond)
			running--
			runs++
			return nil
		}
		err := l.Do(t.Context(), "k", time.Minute, func(ctx context.Context) error {
			var wg sync.WaitGroup
			for i := range 20 {
				wg.Go(func() {
					ctx := ctx
					if i%2 == 0 {
						ctx = context.WithoutCancel(ctx)
					}
					err := l.Do(ctx, "k", time.Minute, func(ctx context.Context) error {
						var in sync.WaitGroup
						for range 3 { // grandchildren take turns among themselves
							in.Go(func() {
								if err := l.Do(ctx, "k", time.Minute, work); err != nil {
									t.Error(err)
								}
							})
						}
						in.Wait()
						return nil
					})
					if err != nil {
						t.Error(err)
					}
				})
			}
			wg.Wait()
			return nil
		})
		if err != nil || runs != 60 {
			t.Errorf("%d runs: %v", runs, err)
		}
	})
}

// A nested Do whose context was detached, because fn cleans up after its own context has
// ended, still waits for its sibling, and its fn's context is live until the lock or the outer
// Do ends.
func TestNestedDetachedWhileCleaningUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newFake(t).locker()
		ctx, cancel := context.WithCancel(t.Context())
		running, runs := 0, 0
		err := l.Do(ctx, "k", time.Minute, func(ctx context.Context) error {
			clean := context.WithoutCancel(ctx)
			cancel()
			var wg sync.WaitGroup
			for range 5 {
				wg.Go(func() {
					err := l.Do(clean, "k", time.Minute, func(ctx context.Context) error {
						if running++; running != 1 {
							t.Errorf("%d nested fn at a time", running)
						}
						time.Sleep(time.Second)
						if ctx.Err() != nil {
							t.Errorf("the lock is held, but the nested context ended: %v", context.Cause(ctx))
						}
						running--
						runs++
						return nil
					})
					if err != nil {
						t.Error(err)
					}
				})
			}
			wg.Wait()
			return nil
		})
		if err != nil || runs != 5 {
			t.Errorf("%d runs: %v", runs, err)
		}
	})
}

// Once a Do has returned, no Do starts under its context, whatever ended first. Here the
// context had ended before the Do did.
func TestNestedAfterCancelledOuter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newFake(t).locker()
		never := func(context.Context) error { t.Error("fn ran"); return nil }
		err := l.Do(t.Context(), "k", time.Minute, func(outer context.Context) error {
			ctx, cancel := context.WithCancel(outer)
			var late context.Context
			err := l.Do(ctx, "k", time.Minute, func(ctx context.Context) error {
				late = context.WithoutCancel(ctx)
				cancel()
				return nil
			})
			for range 20 { // a select between two that are ready is random
				if err := l.Do(late, "k", time.Minute, never); !errors.Is(err, ErrLost) {
					t.Errorf("under a Do that has returned: %v", err)
				}
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	})
}

// A lock that is lost while nested Do's run and wait tells all of them, however their
// contexts were made.
func TestNestedLoss(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(t)
		l := f.locker()
		err := l.Do(t.Context(), "k", time.Second, func(outer context.Context) error {
			var wg sync.WaitGroup
			wg.Go(func() {
				err := l.Do(context.WithoutCancel(outer), "k", time.Second, func(ctx context.Context) error {
					return l.Do(context.WithoutCancel(ctx), "k", time.Second, func(ctx context.Context) error {
						<-ctx.Done()
						wantLost(t, context.Cause(ctx), Taken)
						time.Sleep(time.Minute) // deaf
						return nil
					})
				})
				wantLost(t, err, Taken)
			})
			time.Sleep(time.Millisecond)
			wg.Go(func() {
				before := time.Now()
				err := l.Do(context.WithoutCancel(outer), "k", time.Second, func(context.Context) error { t.Error("fn ran"); return nil })
				wantLost(t, err, Taken)
				if took := time.Since(before); took > time.Second {
					t.Errorf("the one that waited was told after %v", took)
				}
			})
			time.Sleep(time.Millisecond)
			f.put("k", "other", time.Hour)
			wg.Wait()
			return nil
		})
		wantLost(t, err, Taken)
	})
}

// A nested Do whose own context has ended does not run.
func TestNestedContextDone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newFake(t).locker()
		err := l.Do(t.Context(), "k", time.Minute, func(ctx context.Context) error {
			ctx, cancel := context.WithCancel(ctx)
			cancel()
			return l.Do(ctx, "k", time.Minute, func(context.Context) error { t.Error("fn ran"); return nil })
		})
		if !errors.Is(err, context.Canceled) || errors.Is(err, ErrLost) {
			t.Error(err)
		}
	})
}
