package lockrt

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/redis/go-redis/v9"
)

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
