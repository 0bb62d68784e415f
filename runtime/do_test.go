package lockrt

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"
)

// An fn that returns the cause of its context, wrapped or not, has told the loss: Do
// does not tell it again.
func TestDoTellsLossOnce(t *testing.T) {
	for name, result := range map[string]func(context.Context) error{
		"bare":    context.Cause,
		"wrapped": func(ctx context.Context) error { return fmt.Errorf("work: %w", context.Cause(ctx)) },
	} {
		for _, nested := range []bool{false, true} {
			t.Run(fmt.Sprint(name, " nested ", nested), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					l := newFake(t).locker()
					var want error
					work := func(ctx context.Context) error {
						<-ctx.Done()
						want = result(ctx)
						return want
					}
					err := l.Do(t.Context(), "k", 3*time.Second, func(ctx context.Context) error {
						if nested {
							return l.Do(ctx, "k", time.Second, work)
						}
						return work(ctx)
					}, MaxHold(time.Minute))
					wantLost(t, err, MaxHoldReached)
					if err == nil || want == nil || err.Error() != want.Error() {
						t.Errorf("Do returns %q, want %q", err, want)
					}
				})
			})
		}
	}
}

func TestJoin(t *testing.T) {
	a, b := errors.New("a"), errors.New("b")
	if err := join(nil, nil); err != nil {
		t.Error(err)
	}
	if err := join(nil, a, nil); err != a {
		t.Error(err)
	}
	if err := join(fmt.Errorf("x: %w", a), a, b); err.Error() != "x: a\nb" || !errors.Is(err, a) || !errors.Is(err, b) {
		t.Error(err)
	}
}
