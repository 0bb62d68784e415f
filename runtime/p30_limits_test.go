package lockrt_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"runtime"
	"sync"
	"testing"
	"time"

	lockrt "github.com/locklint/locklint/runtime"
	"github.com/redis/go-redis/v9"
)

// P30: every ttl either is refused before anything is sent, or ends the key, at the
// right time. What is sent for each is in TestMillis; the longest here shows that nothing overflows.
func TestP30TTL(t *testing.T) {
	s := start(t)
	c := s.Client(t)
	l := locker(t, c)
	for _, ttl := range []time.Duration{0, -1, redis.KeepTTL, -time.Second, 1, 30, 500 * time.Microsecond,
		1500 * time.Microsecond, lockrt.MinTTL - 1, math.MinInt64} {
		_, err := l.Acquire(t.Context(), "k", ttl)
		is(t, ttl.String(), err, lockrt.ErrInvalid)
		_, err = l.TryAcquire(t.Context(), "k", ttl)
		is(t, ttl.String(), err, lockrt.ErrInvalid)
		is(t, ttl.String(), l.Do(t.Context(), "k", ttl, func(context.Context) error { return nil }), lockrt.ErrInvalid)
		if n := c.DBSize(t.Context()).Val(); n != 0 {
			t.Fatalf("ttl %v: a request was sent", ttl)
		}
	}
	for _, ttl := range []time.Duration{lockrt.MinTTL, 20*time.Millisecond + 1, 1500*time.Millisecond + 1,
		time.Second, 24 * time.Hour, math.MaxInt64} {
		k, err := l.Acquire(t.Context(), "k", ttl, lockrt.Fencing())
		if err != nil {
			if ttl <= 20*time.Millisecond+1 && errors.Is(err, lockrt.ErrLost) {
				continue // shorter than a round trip on this machine now
			}
			t.Fatalf("ttl %v: %v", ttl, err)
		}
		d := c.PTTL(t.Context(), "k").Val()
		if ms := (ttl + time.Millisecond - 1) / time.Millisecond; d == -1 || ttl < math.MaxInt64 && d > ms*time.Millisecond {
			t.Errorf("ttl %v: the key has %v", ttl, d)
		}
		if left := time.Until(k.Deadline()); left >= ttl {
			t.Errorf("ttl %v: %v to the deadline", ttl, left)
		} else if ttl > time.Minute && left < ttl/3 {
			t.Errorf("ttl %v: only %v to the deadline", ttl, left)
		}
		if ttl > time.Second {
			if err := k.Renew(t.Context(), ttl); err != nil {
				t.Errorf("ttl %v: Renew: %v", ttl, err)
			}
			for _, bad := range []time.Duration{0, -1, 500 * time.Microsecond} {
				is(t, "Renew", k.Renew(t.Context(), bad), lockrt.ErrInvalid)
			}
		}
		if err := k.Release(t.Context()); err != nil && ttl >= time.Second {
			t.Errorf("ttl %v: %v", ttl, err)
		}
		gone(t, c, "k")
	}
}

// P31: arguments that cannot be right.
func TestP31Arguments(t *testing.T) {
	s := start(t)
	c := s.Client(t)
	var (
		noClient  *redis.Client
		noCluster *redis.ClusterClient
	)
	for name, bad := range map[string]lockrt.Client{
		"nil": nil, "nil *Client": noClient, "nil *ClusterClient": noCluster,
		"Pipeliner": c.Pipeline(), "TxPipeliner": c.TxPipeline(),
	} {
		_, err := lockrt.New(bad)
		is(t, name, err, lockrt.ErrInvalid)
	}
	err := c.Watch(t.Context(), func(tx *redis.Tx) error {
		_, err := lockrt.New(tx)
		return err
	}, "k")
	is(t, "Tx", err, lockrt.ErrInvalid)

	for name, opt := range map[string]lockrt.Option{
		"nil": nil, "MaxHold": lockrt.MaxHold(0), "negative MaxHold": lockrt.MaxHold(-1), "ReleaseTimeout": lockrt.ReleaseTimeout(0),
		"Backoff": lockrt.Backoff(0, 1), "Backoff order": lockrt.Backoff(2, 1),
	} {
		_, err := lockrt.New(c, opt)
		is(t, "New with "+name, err, lockrt.ErrInvalid)
		_, err = locker(t, c).Acquire(t.Context(), "k", time.Minute, opt)
		is(t, "Acquire with "+name, err, lockrt.ErrInvalid)
	}
	l := locker(t, c)
	_, err = l.Acquire(t.Context(), "", time.Minute)
	is(t, "empty key", err, lockrt.ErrInvalid)
	_, err = l.Acquire(t.Context(), "k", time.Minute, lockrt.AutoRenew())
	is(t, "AutoRenew without MaxHold", err, lockrt.ErrInvalid)
	_, err = locker(t, c, lockrt.AutoRenew()).TryAcquire(t.Context(), "k", time.Minute)
	is(t, "AutoRenew as a default, without MaxHold", err, lockrt.ErrInvalid)
	is(t, "nil fn", l.Do(t.Context(), "k", time.Minute, nil), lockrt.ErrInvalid)
	for name, none := range map[string]*lockrt.Locker{"nil Locker": nil, "zero Locker": new(lockrt.Locker)} {
		_, err = none.Acquire(t.Context(), "k", time.Minute)
		is(t, name, err, lockrt.ErrInvalid)
		is(t, name, none.Do(t.Context(), "k", time.Minute, func(context.Context) error { return nil }), lockrt.ErrInvalid)
	}

	closed := redis.NewClient(s.Options())
	cl := locker(t, closed)
	k := acquire(t, cl, "k", time.Minute)
	closed.Close()
	_, err = cl.Acquire(t.Context(), "k2", time.Minute)
	is(t, "closed client", err, redis.ErrClosed)
	is(t, "Release on a closed client", k.Release(t.Context()), lockrt.ErrUnconfirmed, redis.ErrClosed)
	if n := c.Exists(t.Context(), "k2").Val(); n != 0 {
		t.Error("a request was sent")
	}

	var noScripter *redis.Client
	for name, err := range map[string]error{
		"nil":       lockrt.CompareAndDelete(t.Context(), nil, "k", "v").Err(),
		"typed nil": lockrt.CompareAndDelete(t.Context(), noScripter, "k", "v").Err(),
		"no key":    lockrt.CompareAndDelete(t.Context(), c, "", "v").Err(),
		"no ttl":    lockrt.CompareAndExpire(t.Context(), c, "k", "v", 0).Err(),
		"negative":  lockrt.CompareAndExpire(t.Context(), c, "k", "v", -1).Err(),
	} {
		is(t, name, err, lockrt.ErrInvalid)
	}
}

// P32: many pairs leave no goroutine and no timer; many idle held locks have none.
func TestP32Resources(t *testing.T) {
	n := 20_000
	if thorough {
		n = 100_000
	}
	s := start(t)
	ap, err := s.Client(t).AutoPipeline()
	if err != nil {
		t.Fatal(err)
	}
	defer ap.Close()
	l := locker(t, ap)
	const workers = 64
	var wg sync.WaitGroup
	pairs := func(n int) {
		for w := range workers {
			wg.Go(func() {
				key := "k" + string(rune('0'+w))
				for range n / workers {
					k, err := l.Acquire(context.Background(), key, time.Minute)
					if err == nil {
						k.Context() // with its timer
						err = k.Release(context.Background())
					}
					if err != nil {
						t.Error(err)
						return
					}
				}
			})
		}
		wg.Wait()
	}
	heap := func() int64 {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	pairs(n / 10)
	before, goroutines := heap(), runtime.NumGoroutine()
	pairs(n)
	if grown := heap() - before; grown > 4<<20 {
		t.Errorf("%d bytes more after %d pairs", grown, n)
	}

	var held []*lockrt.Lock
	for i := range 1000 {
		k, err := l.Acquire(context.Background(), "h"+string(rune('0'+i)), time.Minute,
			lockrt.AutoRenew(), lockrt.MaxHold(time.Hour))
		if err != nil {
			t.Fatal(err)
		}
		k.Context()
		held = append(held, k)
	}
	if got := runtime.NumGoroutine(); got > goroutines+20 { // the client's own vary by a few
		t.Errorf("%d goroutines, %d before 1000 locks were held", got, goroutines)
	}
	for _, k := range held {
		wg.Go(func() {
			if err := k.Release(context.Background()); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}

// P33: processes and goroutines on one key. A counter that is read and written back
// under the lock comes out right, and nobody starves.
func TestP33Contention(t *testing.T) {
	processes, goroutines, run := 4, 8, 1500*time.Millisecond
	if thorough {
		processes, goroutines, run = 64, 64, 30*time.Second
	}
	s := start(t)
	c := s.Client(t)
	kids := make([]*child, processes)
	for i := range kids {
		kids[i] = startChild(t, "count", s, childJob{Key: "k", TTL: 20 * time.Second, N: goroutines, For: run, ID: i})
	}
	total := 0
	for i, k := range kids {
		var counts []int
		k.read(t, &counts)
		sum := 0
		for _, n := range counts {
			sum += n
		}
		if sum == 0 {
			t.Errorf("process %d starved", i)
		}
		if thorough {
			t.Logf("process %d: %d", i, sum)
		}
		total += sum
	}
	if got, _ := c.Get(t.Context(), "data").Int(); got != total {
		t.Errorf("the counter is %d after %d increments: two holders at a time", got, total)
	}
	t.Logf("%d increments", total)
}

// childCount increments data under the lock in N goroutines, and reports each one's count.
func childCount(job childJob, out *json.Encoder) error {
	c := job.client()
	l, err := lockrt.New(c)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), job.For)
	defer cancel()
	counts := make([]int, job.N)
	errs := make(chan error, job.N)
	var wg sync.WaitGroup
	for g := range job.N {
		wg.Go(func() {
			for ctx.Err() == nil {
				err := l.Do(ctx, job.Key, job.TTL, func(lease context.Context) error {
					work := context.WithoutCancel(lease) // the end of the run is not the end of the lease
					n, err := c.Get(work, "data").Int()
					if err != nil && !errors.Is(err, redis.Nil) {
						return err
					}
					if err := c.Set(work, "data", n+1, 0).Err(); err != nil {
						return err
					}
					counts[g]++
					return nil
				})
				if err != nil && !errors.Is(err, context.DeadlineExceeded) {
					errs <- err
					return
				}
			}
		})
	}
	wg.Wait()
	close(errs)
	if err := <-errs; err != nil {
		return err
	}
	return out.Encode(counts)
}
