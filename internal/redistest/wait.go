package redistest

import (
	"context"
	"testing"
	"time"
)

// patience bounds the wait for a server; generous, because tests share their machine with
// compilers.
const patience = 30 * time.Second

// WaitFor polls cond until it holds, and fails the test when patience is over. For states
// of a server or process that send no event.
func WaitFor(tb testing.TB, what string, cond func(context.Context) bool) {
	tb.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	tick := time.NewTicker(3 * time.Millisecond)
	defer tick.Stop()
	for !cond(ctx) {
		select {
		case <-ctx.Done():
			tb.Fatalf("waited %v in vain for %s", patience, what)
		case <-tick.C:
		}
	}
}
