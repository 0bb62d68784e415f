package lockrt_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/locklint/locklint/internal/redistest"
	lockrt "github.com/locklint/locklint/runtime"
	"github.com/redis/go-redis/v9"
)

// warm makes the server know the script that Release sends, so that its next EVALSHA is the
// delete itself.
func warm(t *testing.T, l *lockrt.Locker) {
	t.Helper()
	if err := acquire(t, l, "warm", time.Minute).Release(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// P06: the delete is applied, its reply is lost. The work was protected: nil.
func TestP06LostReleaseReply(t *testing.T) {
	s := start(t)
	p := newProxy(t, s)
	direct := s.Client(t)
	l := locker(t, p.client(t, nil), lockrt.ReleaseTimeout(1500*time.Millisecond))
	warm(t, l)
	for _, do := range []loss{loseReply, stallReply} {
		k := acquire(t, l, "k", time.Minute)
		p.harm("evalsha", do, 1)
		if err := k.Release(t.Context()); err != nil {
			t.Errorf("loss %d: %v", do, err)
		}
		if p.pending() != 0 {
			t.Error("no reply was lost")
		}
		value(t, direct, "k", "")
		is(t, "second Release", k.Release(t.Context()), lockrt.ErrReleased)
	}

	// With a ctx that cannot end, Release waits for the client's read timeout, and asks again.
	short := locker(t, p.client(t, func(o *redis.Options) { o.ReadTimeout = 150 * time.Millisecond }))
	for _, ttl := range []time.Duration{time.Minute, 400 * time.Millisecond} {
		k := acquire(t, short, "k", ttl)
		p.harm("evalsha", stallReply, 1)
		if err := k.Release(context.Background()); err != nil {
			t.Errorf("ttl %v: %v", ttl, err)
		}
	}

	// Also when another took the key in between: the first delete was applied.
	k := acquire(t, l, "k", time.Minute)
	p.harm("evalsha", stallReply, 1)
	released := make(chan error, 1)
	go func() { released <- k.Release(t.Context()) }()
	redistest.WaitFor(t, "the delete", func(ctx context.Context) bool { return direct.SetNX(ctx, "k", "other", time.Minute).Val() })
	if err := <-released; err != nil {
		t.Errorf("taken after the delete: %v", err)
	}
	value(t, direct, "k", "other")
	p.cut()
}

// P07: the release is never applied, the server is out of reach. The error says so within the
// timeout, the token is kept, and Release may be called again.
func TestP07UnconfirmedRelease(t *testing.T) {
	s := start(t)
	p := newProxy(t, s)
	direct := s.Client(t)
	l := locker(t, p.client(t, nil), lockrt.ReleaseTimeout(200*time.Millisecond))
	warm(t, l)
	k := acquire(t, l, "k", time.Minute)
	p.dark.Store(true)
	before := time.Now()
	is(t, "Release in the dark", k.Release(t.Context()), lockrt.ErrUnconfirmed)
	if took := time.Since(before); took > 2*time.Second {
		t.Errorf("took %v", took)
	}
	is(t, "Err", k.Err(), lockrt.ErrReleased)
	value(t, direct, "k", k.Token())
	p.dark.Store(false)
	p.cut()
	if err := k.Release(t.Context()); err != nil {
		t.Errorf("Release again: %v", err)
	}
	value(t, direct, "k", "")

	// The server stops for a while, with the requests in its sockets.
	k = acquire(t, l, "k", time.Minute)
	s.Pause(t)
	is(t, "Release of a stopped server", k.Release(t.Context()), lockrt.ErrUnconfirmed)
	s.Resume(t)
	if err := k.Release(t.Context()); err != nil {
		t.Errorf("after Resume: %v", err)
	}
	value(t, direct, "k", "")
}

// P08: ctx was cancelled before Release. The key goes all the same.
func TestP08ReleaseAfterCancel(t *testing.T) {
	s := start(t)
	c := s.Client(t)
	l := locker(t, c)
	ctx, cancel := context.WithCancel(t.Context())
	k, err := l.Acquire(ctx, "k", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if k.Err() != nil || k.Context().Err() != nil {
		t.Error("the lock ended with Acquire's context")
	}
	if err := k.Release(ctx); err != nil {
		t.Error(err)
	}
	value(t, c, "k", "")
}

// P17: renewals race with the release. The key is absent afterwards, and stays so.
func TestP17RenewalRacesRelease(t *testing.T) {
	n := 2000
	if thorough {
		n = 10_000
	}
	s := start(t)
	c := s.Client(t)
	l := locker(t, c)
	const workers = 20
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			key := "k" + string(rune('a'+w))
			for i := range n / workers {
				k, err := l.Acquire(context.Background(), key, 30*time.Second)
				if err != nil {
					t.Error(err)
					return
				}
				renewed := make(chan error, 1)
				go func() { renewed <- k.Renew(context.Background(), 30*time.Second) }()
				time.Sleep(time.Duration(i*7919%1000) * time.Microsecond) // somewhere in the renewal's round trip
				if err := k.Release(context.Background()); err != nil {
					t.Errorf("release: %v", err)
				}
				if err := <-renewed; err != nil && !errors.Is(err, lockrt.ErrReleased) {
					t.Errorf("renew: %v", err)
				}
				value(t, c, key, "")
			}
		})
	}
	wg.Wait()
}

// P18: Release twice, at the same time, on a nil handle, after a loss.
func TestP18ReleaseTwice(t *testing.T) {
	s := start(t)
	c := s.Client(t)
	l := locker(t, c)
	k := acquire(t, l, "k", time.Minute)
	errs := make(chan error)
	for range 8 {
		go func() { errs <- k.Release(context.Background()) }()
	}
	nils := 0
	for range 8 {
		switch err := <-errs; {
		case err == nil:
			nils++
		case !errors.Is(err, lockrt.ErrReleased):
			t.Error(err)
		}
	}
	if nils != 1 {
		t.Errorf("%d of 8 Releases returned nil", nils)
	}

	var none *lockrt.Lock
	is(t, "Release of nil", none.Release(t.Context()), lockrt.ErrReleased)
	is(t, "Renew of nil", none.Renew(t.Context(), time.Minute), lockrt.ErrReleased)
	is(t, "Err of nil", none.Err(), lockrt.ErrReleased)
	is(t, "Context of nil", context.Cause(none.Context()), lockrt.ErrReleased)
	if none.Key() != "" || none.Token() != "" || none.Fence() != 0 || !none.Deadline().IsZero() {
		t.Error("a nil Lock has properties")
	}

	k = acquire(t, l, "k", time.Minute)
	c.Del(t.Context(), "k")
	for range 2 {
		err := k.Release(t.Context())
		lostBy(t, "Release after a loss", err, lockrt.Missing)
		if errors.Is(err, lockrt.ErrReleased) {
			t.Error("a lost lock is not released")
		}
	}
}

// P21: a stale release must not free a later lock of the same Locker.
func TestP21StaleRelease(t *testing.T) {
	s := start(t)
	c := s.Client(t)
	l := locker(t, c)
	old := acquire(t, l, "k", time.Minute)
	c.Del(t.Context(), "k")
	lostBy(t, "Renew", old.Renew(t.Context(), time.Minute), lockrt.Missing)
	k := acquire(t, l, "k", time.Minute)
	for range 3 {
		lostBy(t, "stale Release", old.Release(t.Context()), lockrt.Missing)
	}
	value(t, c, "k", k.Token())
	if err := k.Release(t.Context()); err != nil {
		t.Error(err)
	}
	is(t, "released handle", k.Release(t.Context()), lockrt.ErrReleased)
}

// P35: a token that is the prefix of another is another token.
func TestP35TokenPrefix(t *testing.T) {
	s := start(t)
	c := s.Client(t)
	l := locker(t, c)
	for _, other := range []func(token string) string{
		func(s string) string { return s + "2" },
		func(s string) string { return s[:len(s)-1] },
		func(s string) string { return s + `{"host":"a"}` },
	} {
		k := acquire(t, l, "k", time.Minute)
		theirs := other(k.Token())
		c.Set(t.Context(), "k", theirs, time.Minute)
		lostBy(t, "Renew", k.Renew(t.Context(), time.Minute), lockrt.Taken)
		lostBy(t, "Release", k.Release(t.Context()), lockrt.Taken)
		value(t, c, "k", theirs)
		for _, cmd := range []*redis.Cmd{
			lockrt.CompareAndDelete(t.Context(), c, "k", k.Token()),
			lockrt.CompareAndExpire(t.Context(), c, "k", k.Token(), time.Minute),
		} {
			if n, err := cmd.Int(); n != 0 || err != nil {
				t.Errorf("%v: %d, %v", cmd.Args()[0], n, err)
			}
		}
		c.Del(t.Context(), "k")
	}
}
