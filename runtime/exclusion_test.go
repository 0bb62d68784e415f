package lockrt

import (
	"context"
	"io"
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// Goroutines of four Lockers take two keys, while requests are slow, lost, refused, and
// applied long after their caller has given them up. In each millisecond at most one holder of a key
// is told that it holds it, and at the end nothing is left. TestChaos does the same to real
// processes; here time is exact, and a thousand leases take a second.
//
// A seed gives the same faults again; which goroutine meets which one may differ.
//
//	LOCKRT_SEED=42 go test -run TestExclusion ./runtime        one round
//	LOCKRT_THOROUGH=1 go test -run TestExclusion ./runtime     600 rounds
func TestExclusion(t *testing.T) {
	first, rounds := rand.Uint64(), uint64(6)
	if os.Getenv("LOCKRT_THOROUGH") != "" {
		rounds = 600
	}
	if s := os.Getenv("LOCKRT_SEED"); s != "" {
		n, err := strconv.ParseUint(s, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		first, rounds = n, 1
	}
	var sum lessees
	for seed := first; seed < first+rounds && !t.Failed(); seed++ {
		synctest.Test(t, func(t *testing.T) {
			r := newLessees(t, seed)
			r.run()
			sum.holds += r.holds
			sum.lost += r.lost
		})
	}
	t.Logf("%d holds, %d lost", sum.holds, sum.lost)
	if rounds > 1 && (sum.holds < 300 || sum.lost < 50) {
		t.Error("too few: this shows nothing")
	}
}

// lessees are the holders of one round.
type lessees struct {
	t    *testing.T
	seed uint64
	fake *fakeRedis

	mu          sync.Mutex
	rnd         *rand.Rand
	held        map[string]map[int]func() bool // by key: what each holder is told
	holds, lost int
}

const longestTTL = 800 * time.Millisecond

var leasedKeys = []string{"a", "b"}

func newLessees(t *testing.T, seed uint64) *lessees {
	r := &lessees{t: t, seed: seed, fake: newFake(t), rnd: rand.New(rand.NewPCG(seed, 0)), held: map[string]map[int]func() bool{}}
	r.fake.fate = r.fate
	return r
}

// upTo is a random time of at most d.
func (r *lessees) upTo(d time.Duration) time.Duration { return time.Duration(r.n(int(d) + 1)) }

func (r *lessees) n(n int) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.rnd.IntN(n)
}

func (r *lessees) fate() fate {
	f := fate{before: r.upTo(5 * time.Millisecond), after: r.upTo(30 * time.Millisecond)}
	switch r.n(20) {
	case 0:
		f.before = r.upTo(2 * longestTTL)
	case 1:
		f.after = r.upTo(2 * longestTTL)
	case 2:
		f.err = io.EOF
	case 3:
		f.lose = true
	case 4:
		f.heldBack = r.upTo(3 * longestTTL)
	case 5:
		f.err = reply("LOADING Redis is loading the dataset in memory")
	}
	return f
}

func (r *lessees) run() {
	var lockers []*Locker
	for range 4 { // each as a process; they ask often, to meet a lease that is over too early
		lockers = append(lockers, r.fake.locker(Backoff(time.Millisecond, 2*time.Millisecond)))
	}
	var wg sync.WaitGroup
	for g := range 8 {
		l := lockers[g%len(lockers)]
		wg.Go(func() {
			for range 20 {
				r.take(g, l, leasedKeys[r.n(len(leasedKeys))])
			}
		})
	}
	stop := make(chan struct{})
	go func() {
		for {
			select {
			case <-stop:
				return
			case <-time.After(time.Millisecond):
				r.check()
			}
		}
	}()
	wg.Wait()
	close(stop)
	time.Sleep(10 * longestTTL) // the requests that were given up, and the leases
	for _, l := range lockers {
		l.sweep()
		if len(l.lines) != 0 {
			r.t.Errorf("seed %d: a line is left", r.seed)
		}
	}
	for _, key := range leasedKeys {
		if v := r.fake.value(key); v != "" {
			r.t.Errorf("seed %d: %s is left with %s", r.seed, key, v)
		}
	}
}

// take holds key once, in one of the ways that there are.
func (r *lessees) take(g int, l *Locker, key string) {
	ctx, cancel := context.WithTimeout(r.t.Context(), r.upTo(2*time.Second))
	defer cancel()
	ttl := MinTTL + r.upTo(longestTTL-MinTTL)
	switch r.n(3) {
	case 0:
		_ = l.Do(ctx, key, ttl, func(ctx context.Context) error {
			r.hold(g, key, func() bool { return ctx.Err() == nil })
			return nil
		})
		return
	case 1:
		cancel()
		ctx = context.Background()
	}
	get := l.Acquire
	if r.n(2) == 0 {
		get = l.TryAcquire
	}
	k, err := get(ctx, key, ttl)
	if err != nil {
		return
	}
	var renewing sync.WaitGroup
	if r.n(2) == 0 {
		renewing.Go(func() { _ = k.Renew(r.t.Context(), MinTTL+r.upTo(longestTTL)) })
	}
	r.hold(g, key, func() bool { return k.Err() == nil })
	if r.n(5) > 0 { // else it is forgotten
		_ = k.Release(ctx)
	}
	renewing.Wait()
}

// hold keeps the key for a while.
func (r *lessees) hold(g int, key string, held func() bool) {
	r.mu.Lock()
	if r.held[key] == nil {
		r.held[key] = map[int]func() bool{}
	}
	r.held[key][g] = held
	r.holds++
	r.mu.Unlock()
	r.check()
	for end := time.Now().Add(r.upTo(2 * longestTTL)); time.Now().Before(end) && held(); {
		time.Sleep(time.Millisecond)
	}
	r.mu.Lock()
	if !held() {
		r.lost++
	}
	delete(r.held[key], g) // from now on it does as if it were not held
	r.mu.Unlock()
}

func (r *lessees) check() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for key, holders := range r.held {
		n := 0
		for _, held := range holders {
			if held() {
				n++
			}
		}
		if n > 1 {
			r.t.Errorf("seed %d: %d holders of %s", r.seed, n, key)
		}
	}
}
