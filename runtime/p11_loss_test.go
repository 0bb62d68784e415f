package lockrt_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/locklint/locklint/internal/redistest"
	lockrt "github.com/locklint/locklint/runtime"
	"github.com/redis/go-redis/v9"
)

// P11: the holder is cut off. Its context ends before the key is free. The moment of the timer is
// checked with a clock of its own in TestToldAtDeadline; here, that the deadline is before the server's.
func TestP11Partition(t *testing.T) {
	s := start(t)
	direct := s.Client(t)
	const ttl = time.Second
	type work func(context.Context, time.Time) error
	for key, hold := range map[string]func(l *lockrt.Locker, key string, fn work) error{
		"Do": func(l *lockrt.Locker, key string, fn work) error {
			return l.Do(context.Background(), key, ttl, func(ctx context.Context) error { return fn(ctx, time.Time{}) })
		},
		"handle": func(l *lockrt.Locker, key string, fn work) error {
			k, err := l.Acquire(context.Background(), key, ttl)
			if err != nil {
				return err
			}
			return errors.Join(fn(k.Context(), k.Deadline()), k.Release(context.Background()))
		},
	} {
		t.Run(key, func(t *testing.T) {
			t.Parallel()
			p := newProxy(t, s)
			l := locker(t, p.client(t, nil))
			var free, told time.Time
			err := hold(l, key, func(ctx context.Context, deadline time.Time) error {
				p.dark.Store(true)
				defer p.cut()
				defer p.dark.Store(false)
				ms, err := direct.PExpireTime(context.Background(), key).Result()
				if err != nil {
					return err
				}
				free = time.UnixMilli(int64(ms / time.Millisecond))
				lostBy(t, "cause", done(t, ctx), lockrt.Expired)
				told = time.Now()
				if !deadline.IsZero() && !deadline.Before(free) {
					t.Errorf("deadline %v after the key's end", deadline.Sub(free))
				}
				return nil
			})
			is(t, "result", err, lockrt.ErrLost)
			t.Logf("told %v before the key was free", free.Sub(told))
			if late := told.Sub(free); late > 2*time.Second {
				t.Errorf("told %v after the key was free", late)
			}
			gone(t, direct, key)
		})
	}
}

// P12: the holder's process is stopped for longer than the ttl while another acquires. When it
// runs again, its first look at the context says that the lease is over, its release
// touches nothing, and its fenced write is refused.
func TestP12PausedHolder(t *testing.T) {
	s := start(t)
	c := s.Client(t)
	l := locker(t, c, lockrt.Fencing())
	paused := filepath.Join(t.TempDir(), "paused")
	h := startChild(t, "holder", s, childJob{Key: "k", TTL: time.Second, Paused: paused})
	var first holderSays
	h.read(t, &first)
	if _, err := fencedWrite.Run(t.Context(), c, []string{"data"}, first.Fence, "before").Result(); err != nil {
		t.Fatal(err)
	}
	h.suspend(t)
	k := acquire(t, l, "k", time.Minute) // waits for the ttl
	if k.Fence() <= first.Fence {
		t.Errorf("fence %d after %d", k.Fence(), first.Fence)
	}
	if n, _ := fencedWrite.Run(t.Context(), c, []string{"data"}, k.Fence(), "new holder").Int(); n != 1 {
		t.Error("the new holder's write was refused")
	}
	if err := os.WriteFile(paused, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	h.resume(t)
	var second holderSays
	h.read(t, &second)
	if !second.Lost {
		t.Errorf("first look after the pause: %q", second.Err)
	}
	if second.Release != "lost" {
		t.Errorf("Release of the paused holder: %s", second.Release)
	}
	if second.Wrote {
		t.Error("the paused holder's write was accepted")
	}
	value(t, c, "k", k.Token())
	if got := c.HGet(t.Context(), "data", "value").Val(); got != "new holder" {
		t.Errorf("data is %q", got)
	}
	if err := k.Release(t.Context()); err != nil {
		t.Error(err)
	}
}

// fencedWrite is a resource that refuses a fence smaller than one it has seen.
var fencedWrite = redis.NewScript(`
local max = tonumber(redis.call('hget', KEYS[1], 'fence')) or 0
if tonumber(ARGV[1]) < max then return 0 end
redis.call('hset', KEYS[1], 'fence', ARGV[1], 'value', ARGV[2])
return 1`)

type holderSays struct {
	Fence   int64
	Lost    bool
	Err     string
	Release string
	Wrote   bool
}

// childHolder acquires, says so, waits until it was stopped and runs again, and reports.
func childHolder(job childJob, out *json.Encoder) error {
	c := job.client()
	ctx := context.Background()
	l, err := lockrt.New(c, lockrt.Fencing())
	if err != nil {
		return err
	}
	k, err := l.Acquire(ctx, job.Key, job.TTL)
	if err != nil {
		return err
	}
	lease := k.Context()
	if err := out.Encode(holderSays{Fence: k.Fence()}); err != nil {
		return err
	}
	for { // busy: no timer wakes it before it looks
		if _, err := os.Stat(job.Paused); err == nil {
			break
		}
	}
	err = lease.Err()
	says := holderSays{Fence: k.Fence(), Lost: errors.Is(context.Cause(lease), lockrt.ErrLost), Err: fmt.Sprint(err)}
	n, werr := fencedWrite.Run(ctx, c, []string{"data"}, k.Fence(), "paused holder").Int()
	if werr != nil {
		return werr
	}
	says.Wrote = n == 1
	switch err := k.Release(ctx); {
	case errors.Is(err, lockrt.ErrLost):
		says.Release = "lost"
	default:
		says.Release = fmt.Sprint(err)
	}
	return out.Encode(says)
}

// P16: the key is deleted by an administrator, or taken, while it is held. The next
// renewal tells, with the reason.
func TestP16DeletedOrTaken(t *testing.T) {
	s := start(t)
	c := s.Client(t)
	l := locker(t, c)
	const ttl = 1500 * time.Millisecond
	for want, harm := range map[lockrt.Reason]func(){
		lockrt.Missing: func() { c.Del(context.Background(), lockrt.Missing.String()) },
		lockrt.Taken:   func() { c.Set(context.Background(), lockrt.Taken.String(), "other", time.Minute) },
	} {
		key := want.String()
		t.Run(key, func(t *testing.T) {
			t.Parallel()
			var told time.Duration
			err := l.Do(t.Context(), key, ttl, func(ctx context.Context) error {
				before := time.Now()
				harm()
				lostBy(t, "cause", done(t, ctx), want)
				told = time.Since(before)
				return nil
			})
			lostBy(t, "Do", err, want)
			if told > ttl*3/4 {
				t.Errorf("told after %v, want about a third of %v", told, ttl)
			}
			if want == lockrt.Taken {
				value(t, c, key, "other")
			}
		})
	}
}

// P19: fn panics, or ends its goroutine.
func TestP19Panic(t *testing.T) {
	s := start(t)
	c := s.Client(t)
	l := locker(t, c)
	func() {
		defer func() {
			if r := recover(); r != "boom" {
				t.Errorf("recovered %v", r)
			}
		}()
		_ = l.Do(t.Context(), "k", time.Minute, func(context.Context) error { panic("boom") })
		t.Error("Do swallowed a panic")
	}()
	value(t, c, "k", "")
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = l.Do(context.Background(), "k", time.Minute, func(context.Context) error { runtime.Goexit(); return nil })
	}()
	<-ended
	value(t, c, "k", "")
}

// P20: fn does not look at its context after the loss. Do waits for it, leaves the other holder's key
// alone, and reports both.
func TestP20DeafFn(t *testing.T) {
	s := start(t)
	c := s.Client(t)
	l := locker(t, c)
	mine := errors.New("fn's own error")
	var returned atomic.Bool
	err := l.Do(t.Context(), "k", 300*time.Millisecond, func(ctx context.Context) error {
		c.Set(context.Background(), "k", "other", time.Minute)
		done(t, ctx)
		time.Sleep(100 * time.Millisecond) // deaf; a Do that does not wait would return now
		returned.Store(true)
		return mine
	})
	if !returned.Load() {
		t.Error("Do returned before fn")
	}
	is(t, "Do", err, mine, lockrt.ErrLost)
	lostBy(t, "Do", err, lockrt.Taken)
	value(t, c, "k", "other")
}

// P22: SCRIPT FLUSH, FLUSHALL and a restart between the operations.
func TestP22FlushAndRestart(t *testing.T) {
	s := start(t)
	c := s.Client(t)
	for name, l := range map[string]*lockrt.Locker{"plain": locker(t, c), "fencing": locker(t, c, lockrt.Fencing())} {
		t.Run(name, func(t *testing.T) {
			k := acquire(t, l, "k", time.Minute)
			c.ScriptFlush(t.Context())
			if err := k.Renew(t.Context(), time.Minute); err != nil {
				t.Errorf("Renew after SCRIPT FLUSH: %v", err)
			}
			c.ScriptFlush(t.Context())
			if err := k.Release(t.Context()); err != nil {
				t.Errorf("Release after SCRIPT FLUSH: %v", err)
			}

			k = acquire(t, l, "k", time.Minute)
			c.FlushAll(t.Context())
			lostBy(t, "Renew after FLUSHALL", k.Renew(t.Context(), time.Minute), lockrt.Missing)

			k = acquire(t, l, "k", time.Minute)
			fence := k.Fence()
			s.Restart(t)
			lostBy(t, "Release after a restart", k.Release(t.Context()), lockrt.Missing)
			k = acquire(t, l, "k", time.Minute)
			if fence != 0 && k.Fence() <= fence {
				t.Errorf("fence %d after %d", k.Fence(), fence)
			}
			if err := k.Release(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}

// P23: kill -9 of a server without persistence. A second client acquires; the first
// hears of it at its next renewal. Nothing on the client's side can prevent that: doc.go says so.
func TestP23ServerKilled(t *testing.T) {
	s := start(t)
	l, other := locker(t, s.Client(t)), locker(t, s.Client(t))
	var fence int64
	err := l.Do(t.Context(), "k", time.Second, func(ctx context.Context) error {
		fence = lockrt.Fence(ctx)
		s.Restart(t)
		k, err := other.Acquire(context.Background(), "k", time.Minute, lockrt.Fencing())
		if err != nil {
			return err
		}
		lostBy(t, "cause", done(t, ctx), lockrt.Taken)
		if k.Fence() <= fence {
			t.Errorf("fence %d after %d", k.Fence(), fence)
		}
		return k.Release(context.Background())
	}, lockrt.Fencing())
	is(t, "Do", err, lockrt.ErrLost)
}

// P24: the master dies before its replica has the lock. Another acquires from the
// replica; its fence is greater, for the numbers do not come from the lost counter alone.
func TestP24Failover(t *testing.T) {
	noLeak(t)
	master := redistest.StartTCP(t)
	link := newProxy(t, master)
	replica := redistest.StartReplica(t, link.addr())
	noImmortal(t, replica)

	// The client follows the failover by dialling another address, as with Sentinel.
	var addr atomic.Value
	addr.Store(master.Addr)
	c := redis.NewClient(&redis.Options{Addr: master.Addr, Dialer: dialer(&addr)})
	defer c.Close()
	l := locker(t, c, lockrt.Fencing())

	warm := acquire(t, l, "k", time.Minute) // the counter gets to the replica
	seen := warm.Fence()
	if err := warm.Release(t.Context()); err != nil {
		t.Fatal(err)
	}
	rc := replica.Client(t)
	redistest.WaitFor(t, "the counter on the replica", func(ctx context.Context) bool {
		return rc.Get(ctx, "{k}:fence").Val() == strconv.FormatInt(seen, 10) && rc.Exists(ctx, "k").Val() == 0
	})

	link.dark.Store(true)
	a := acquire(t, l, "k", time.Minute)
	master.Kill()
	replica.Promote(t)
	b := acquire(t, locker(t, rc, lockrt.Fencing()), "k", time.Minute)
	addr.Store(replica.Addr)
	if !(seen < a.Fence() && a.Fence() < b.Fence()) {
		t.Errorf("fences %d, %d, %d do not rise", seen, a.Fence(), b.Fence())
	}
	lostBy(t, "the first holder's Renew", a.Renew(t.Context(), time.Minute), lockrt.Taken)
	for i, w := range []struct {
		fence int64
		want  int
	}{{b.Fence(), 1}, {a.Fence(), 0}} {
		if n, err := fencedWrite.Run(t.Context(), rc, []string{"data"}, w.fence, i).Int(); n != w.want || err != nil {
			t.Errorf("write %d: %d, %v, want %d", i, n, err, w.want)
		}
	}
	if err := b.Release(t.Context()); err != nil {
		t.Error(err)
	}
}

// P25: the server's clock jumps. It cannot be set here without setting the machine's, so
// the effect is staged on the key: forward, it ends early; backward, it lives long.
func TestP25ServerClock(t *testing.T) {
	s := start(t)
	c := s.Client(t)
	l := locker(t, c)
	err := l.Do(t.Context(), "k", 600*time.Millisecond, func(ctx context.Context) error {
		c.PExpire(context.Background(), "k", time.Millisecond)
		gone(t, c, "k")
		lostBy(t, "forward", done(t, ctx), lockrt.Missing)
		return nil
	})
	lostBy(t, "forward", err, lockrt.Missing)

	k := acquire(t, l, "k", 50*time.Millisecond)
	c.PExpire(t.Context(), "k", time.Hour)
	ctx, cancel := context.WithTimeout(t.Context(), 150*time.Millisecond)
	defer cancel()
	_, err = l.Acquire(ctx, "k", time.Minute)
	is(t, "backward", err, lockrt.ErrHeld, context.DeadlineExceeded)
	lostBy(t, "backward, the holder", k.Release(t.Context()), lockrt.Expired)
	gone(t, c, "k") // ours it was, and an abandoned request is taken back
}

// P26: a jump of the client's clock cannot be staged either. No request names a point
// in time (PXAT, PEXPIREAT), and deadlines are read from the monotonic clock: TestP26NoPointsInTime checks
// the first, and synctest, whose wall clock starts in 2000, runs all timers.

// P34: the holder crashes. One of the waiters acquires soon after the ttl.
func TestP34Crash(t *testing.T) {
	s := start(t)
	c := s.Client(t)
	h := startChild(t, "crash", s, childJob{Key: "k", TTL: 700 * time.Millisecond})
	var said string
	h.read(t, &said)
	h.kill()
	left := c.PTTL(t.Context(), "k").Val()
	if left <= 0 {
		t.Fatalf("the crashed holder left %v", left)
	}
	ctx, cancel := context.WithCancel(t.Context())
	got := make(chan *lockrt.Lock)
	for range 5 {
		l := locker(t, s.Client(t)) // as in a process of its own
		go func() {
			k, err := l.Acquire(ctx, "k", time.Minute)
			if err != nil && !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
			got <- k
		}()
	}
	before := time.Now()
	k := <-got
	if took := time.Since(before); took > left+5*time.Second {
		t.Errorf("acquired %v after the crash, the ttl had %v left", took, left)
	}
	cancel()
	for range 4 {
		if <-got != nil {
			t.Error("a second lock")
		}
	}
	if err := k.Release(t.Context()); err != nil {
		t.Error(err)
	}
}

func childCrash(job childJob, out *json.Encoder) error {
	l, err := lockrt.New(job.client())
	if err != nil {
		return err
	}
	return l.Do(context.Background(), job.Key, job.TTL, func(ctx context.Context) error {
		if err := out.Encode("held"); err != nil {
			return err
		}
		<-ctx.Done()
		return nil
	})
}

// P36: MaxHold is over while fn runs. The context says so; the key stays until fn is done.
func TestP36MaxHold(t *testing.T) {
	s := start(t)
	c := s.Client(t)
	l := locker(t, c)
	err := l.Do(t.Context(), "k", time.Minute, func(ctx context.Context) error {
		lostBy(t, "cause", done(t, ctx), lockrt.MaxHoldReached)
		if c.Exists(context.Background(), "k").Val() != 1 {
			t.Error("the key was released before fn was done")
		}
		return nil
	}, lockrt.MaxHold(100*time.Millisecond))
	lostBy(t, "Do", err, lockrt.MaxHoldReached)
	value(t, c, "k", "")

	k := acquire(t, l, "k", time.Minute, lockrt.AutoRenew(), lockrt.MaxHold(50*time.Millisecond))
	lostBy(t, "handle", done(t, k.Context()), lockrt.MaxHoldReached)
	lostBy(t, "Err", k.Err(), lockrt.MaxHoldReached)
	lostBy(t, "Renew", k.Renew(t.Context(), time.Minute), lockrt.MaxHoldReached)
	value(t, c, "k", k.Token())
	if err := k.Release(t.Context()); err != nil {
		t.Errorf("Release after MaxHold: %v", err)
	}
	value(t, c, "k", "")
	is(t, "second Release", k.Release(t.Context()), lockrt.ErrReleased)
}
