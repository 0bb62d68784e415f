package lockrt_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/locklint/locklint/internal/redistest"
	lockrt "github.com/locklint/locklint/runtime"
	"github.com/redis/go-redis/v9"
)

// The pitfalls P01 to P37 are faults that other lock libraries were seen to have, or
// that Redis and go-redis hold in store. Each has a test here under its number.

// P01: SET is applied, the connection is cut before the reply. The lock is held, and once.
func TestP01LostAcquireReply(t *testing.T) {
	s := start(t)
	p := newProxy(t, s)
	direct := s.Client(t)
	for _, tt := range []struct {
		name    string
		opts    []lockrt.Option
		command string
	}{{"plain", nil, "set"}, {"fencing", []lockrt.Option{lockrt.Fencing()}, "evalsha"}} {
		l := locker(t, p.client(t, nil), tt.opts...)
		for try, get := range map[string]func(context.Context, string, time.Duration, ...lockrt.Option) (*lockrt.Lock, error){
			"Acquire": l.Acquire, "TryAcquire": l.TryAcquire,
		} {
			for end, ctx := range map[string]context.Context{"endless": context.Background(), "cancellable": t.Context()} {
				t.Run(tt.name+"/"+try+"/"+end, func(t *testing.T) {
					if tt.opts != nil { // the script is known, so the next EVALSHA is applied
						acquire(t, l, "warm", time.Minute).Release(ctx)
					}
					p.harm(tt.command, loseReply, 1)
					k, err := get(ctx, "k", time.Minute)
					if err != nil {
						t.Fatal(err)
					}
					if p.pending() != 0 {
						t.Fatal("no reply was lost")
					}
					value(t, direct, "k", k.Token())
					if err := k.Release(ctx); err != nil {
						t.Error(err)
					}
					value(t, direct, "k", "")
				})
			}
		}
	}
}

// P02: as P01, but the reply hangs beyond the read timeout. The lease counts from the first send.
func TestP02StalledAcquireReply(t *testing.T) {
	s := start(t)
	p := newProxy(t, s)
	l := locker(t, p.client(t, func(o *redis.Options) { o.ReadTimeout = 150 * time.Millisecond }))
	const ttl = 20 * time.Second
	p.harm("set", stallReply, 1)
	before := time.Now()
	k, err := l.Acquire(context.Background(), "k", ttl)
	if err != nil {
		t.Fatal(err)
	}
	if took := time.Since(before); took < 150*time.Millisecond {
		t.Fatalf("took %v: no reply was stalled", took)
	}
	// The first send was at least a read timeout before the answer.
	if d := time.Until(k.Deadline()); d > ttl-ttl/100-150*time.Millisecond {
		t.Errorf("%v to the deadline: counted from a later send", d)
	}
	value(t, s.Client(t), "k", k.Token())
	if err := k.Release(t.Context()); err != nil {
		t.Error(err)
	}
}

// P03: P01 and P02 through every face of AutoPipeline, and through a cluster client.
func TestP03LostReplyOtherClients(t *testing.T) {
	s := start(t)
	p := newProxy(t, s)
	direct := s.Client(t)
	short := func(o *redis.Options) { o.ReadTimeout = 200 * time.Millisecond }
	run := func(t *testing.T, p *proxy, c lockrt.Client, direct redis.Cmdable) {
		t.Helper()
		l := locker(t, c)
		for _, do := range []loss{loseReply, stallReply} {
			p.harm("set", do, 1)
			k, err := l.Acquire(t.Context(), "k", time.Minute)
			if err != nil {
				t.Fatalf("loss %d: %v", do, err)
			}
			if p.pending() != 0 {
				t.Fatal("no reply was lost")
			}
			value(t, direct, "k", k.Token())
			if err := k.Release(t.Context()); err != nil {
				t.Errorf("loss %d: release: %v", do, err)
			}
		}
	}
	for name, make := range map[string]func(*redis.Client) (*redis.AutoPipeliner, error){
		"AutoPipeline":      func(c *redis.Client) (*redis.AutoPipeliner, error) { return c.AutoPipeline() },
		"AsyncAutoPipeline": func(c *redis.Client) (*redis.AutoPipeliner, error) { return c.AsyncAutoPipeline() },
		"FullDuplex": func(c *redis.Client) (*redis.AutoPipeliner, error) {
			return c.AutoPipelineWithOptions(&redis.AutoPipelineOptions{FullDuplex: true})
		},
	} {
		t.Run(name, func(t *testing.T) {
			ap, err := make(p.client(t, short))
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { ap.Close() })
			run(t, p, ap, direct)
		})
	}
	t.Run("Cluster", func(t *testing.T) {
		cl := redistest.StartCluster(t)
		p := newProxy(t, cl.Nodes[cl.Owner(t, "k")])
		c := redis.NewClusterClient(&redis.ClusterOptions{
			Addrs:       []string{cl.Nodes[cl.Owner(t, "k")].Addr},
			Dialer:      p.dial, // only the owner of k is needed
			ReadTimeout: 200 * time.Millisecond,
		})
		defer c.Close()
		run(t, p, c, cl.Client(t))
	})
}

// P04: SET is applied, then ctx ends before the reply. No handle, and the key is taken back.
func TestP04CancelledBeforeReply(t *testing.T) {
	s := start(t)
	p := newProxy(t, s)
	direct := s.Client(t)
	l := locker(t, p.client(t, nil))
	p.harm("set", stallReply, 1)
	ctx, cancel := context.WithCancel(t.Context())
	result := make(chan error, 1)
	go func() {
		k, err := l.Acquire(ctx, "k", time.Minute)
		if k != nil {
			t.Error("a lock with a cancelled context")
		}
		result <- err
	}()
	redistest.WaitFor(t, "SET to be applied", func(ctx context.Context) bool { return direct.Exists(ctx, "k").Val() == 1 })
	cancel()
	err := <-result
	is(t, "Acquire", err, context.Canceled)
	if errors.Is(err, lockrt.ErrHeld) {
		t.Errorf("%v: nobody else holds the key", err)
	}
	gone(t, direct, "k") // long before its ttl
	p.cut()
}

// P05: the abandoned SET is applied after the delete that takes it back, for the two travel on
// different connections. That leaves an orphan, which ends with its ttl.
func TestP05LateAcquire(t *testing.T) {
	s := start(t)
	c := s.Client(t)
	l := locker(t, c)
	if err := c.Ping(t.Context()).Err(); err != nil { // a connection for the SET
		t.Fatal(err)
	}
	const ttl = time.Second
	s.Pause(t)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	before := time.Now()
	k, err := l.Acquire(ctx, "k", ttl)
	if k != nil {
		t.Error("a lock from a stopped server")
	}
	is(t, "Acquire", err, context.DeadlineExceeded)
	if took := time.Since(before); took > 2*time.Second {
		t.Errorf("took %v", took)
	}
	s.Resume(t)
	direct := s.Client(t)
	if d := direct.PTTL(t.Context(), "k").Val(); d == -1 || d > ttl {
		t.Errorf("the orphan lives for %v", d)
	}
	gone(t, direct, "k")
}

// P09: cancelled while another holds the key: at once, and the error says both.
func TestP09CancelledWait(t *testing.T) {
	s := start(t)
	holder := locker(t, s.Client(t))
	k := acquire(t, holder, "k", time.Minute)
	defer k.Release(t.Context())
	for name, l := range map[string]*lockrt.Locker{"other process": locker(t, s.Client(t)), "same Locker": holder} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			waiting := make(chan struct{})
			go func() { <-waiting; cancel() }()
			before := time.Now()
			_, err := l.Acquire(ctx, "k", time.Minute, lockrt.OnEvent(func(e lockrt.Event) {
				if e.Kind == lockrt.EventContended {
					close(waiting)
				}
			}))
			is(t, "Acquire", err, lockrt.ErrHeld, context.Canceled)
			if took := time.Since(before); took > 2*time.Second {
				t.Errorf("took %v", took)
			}
			cause := fmt.Errorf("shutting down")
			ctx, stop := context.WithCancelCause(t.Context())
			time.AfterFunc(20*time.Millisecond, func() { stop(cause) })
			_, err = l.Acquire(ctx, "k", time.Minute)
			is(t, "with a cause", err, lockrt.ErrHeld, context.Canceled, cause)
		})
	}
}

// P10: ctx ends with a reply outstanding, on default client options: go-redis would
// wait for its read timeout of 5 s. The exact time is in TestReturnsWhenContextEnds.
func TestP10CancelledWithReplyOutstanding(t *testing.T) {
	s := start(t)
	c := s.Client(t)
	if err := c.Ping(t.Context()).Err(); err != nil {
		t.Fatal(err)
	}
	l := locker(t, c)
	s.Pause(t)
	for name, end := range map[string]func(context.Context) (context.Context, context.CancelFunc){
		"cancel": func(ctx context.Context) (context.Context, context.CancelFunc) {
			ctx, cancel := context.WithCancel(ctx)
			time.AfterFunc(50*time.Millisecond, cancel)
			return ctx, cancel
		},
		"deadline": func(ctx context.Context) (context.Context, context.CancelFunc) {
			return context.WithTimeout(ctx, 50*time.Millisecond)
		},
	} {
		ctx, cancel := end(t.Context())
		before := time.Now()
		_, err := l.TryAcquire(ctx, "k"+name, 500*time.Millisecond)
		if took := time.Since(before); err == nil || took > 2*time.Second {
			t.Errorf("%s: %v after %v", name, err, took)
		}
		cancel()
	}
	s.Resume(t)
}

// P13: the process is paused between the reply and the return of Acquire, or the reply
// is slow: see TestP13LateAnswer, with a clock of its own.

// P37: a context that is done already: nothing is sent. A deadline shorter than a round trip: no
// orphan beyond the ttl.
func TestP37ContextDone(t *testing.T) {
	s := start(t)
	c := s.Client(t)
	l := locker(t, c)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := c.ConfigResetStat(t.Context()).Err(); err != nil {
		t.Fatal(err)
	}
	for _, get := range []func(context.Context, string, time.Duration, ...lockrt.Option) (*lockrt.Lock, error){l.Acquire, l.TryAcquire} {
		_, err := get(ctx, "k", time.Minute)
		is(t, "done context", err, context.Canceled)
	}
	err := l.Do(ctx, "k", time.Minute, func(context.Context) error { t.Error("fn ran"); return nil })
	is(t, "Do", err, context.Canceled)
	stats, err := c.Info(t.Context(), "commandstats").Result()
	if err != nil || strings.Contains(stats, "cmdstat_set:") || strings.Contains(stats, "cmdstat_eval") {
		t.Errorf("a request was sent: %v\n%s", err, stats)
	}
	for range 50 {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Microsecond)
		if k, err := l.TryAcquire(ctx, "k", time.Minute); err == nil {
			k.Release(t.Context())
		}
		cancel()
	}
	gone(t, c, "k")
}
