package lockrt

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

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

// Renew says why it stopped: the end of its context, with the cause, and what the last request met.
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
