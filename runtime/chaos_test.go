package lockrt_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/locklint/locklint/internal/redistest"
	lockrt "github.com/locklint/locklint/runtime"
	"github.com/redis/go-redis/v9"
)

// A chaos round lets goroutines in several processes take the same few keys while replies are lost, connections
// cut and networks split. The round's seed decides which faults come when. An even
// seed is a round in which mutual exclusion must hold. In an odd one, processes and the
// server are stopped and killed as well; then only the fence numbers can be relied on.
//
//	go test -run TestChaos ./runtime                              two rounds
//	LOCKRT_CHAOS_FOR=10m go test -timeout 20m -run TestChaos -v ./runtime   a long run
//	LOCKRT_CHAOS_SEED=42 go test -run TestChaos -v ./runtime      one round again
func TestChaos(t *testing.T) {
	redistest.Path(t)
	noLeak(t)
	if s := os.Getenv("LOCKRT_CHAOS_SEED"); s != "" {
		seed, err := strconv.ParseUint(s, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		chaosRound(t, seed, longRound).check(t)
		return
	}
	run, round := time.Duration(0), 1500*time.Millisecond
	if s := os.Getenv("LOCKRT_CHAOS_FOR"); s != "" {
		var err error
		if run, err = time.ParseDuration(s); err != nil {
			t.Fatal(err)
		}
		round = longRound
	}
	first := rand.Uint64() &^ 1
	var sum chaosStats
	start := time.Now()
	for i := uint64(0); i < 2 || time.Since(start) < run; i++ {
		sum.add(chaosRound(t, first+i, round).check(t))
		if t.Failed() {
			break
		}
	}
	t.Logf("%d rounds from seed %d: %+v", sum.Rounds, first, sum)
}

const longRound = 5 * time.Second

type chaosStats struct {
	Rounds, Holds, Lost, Failed, Faults, Kills int
}

func (s *chaosStats) add(o chaosStats) {
	s.Rounds += o.Rounds
	s.Holds += o.Holds
	s.Lost += o.Lost
	s.Failed += o.Failed
	s.Faults += o.Faults
	s.Kills += o.Kills
}

// A hold is what a process says about one acquisition. Times are nanoseconds of the machine's clock.
type hold struct {
	Key       string
	Token     string
	Fence     int64
	Call, Ret int64 // of Acquire
	Valid     int64 // the lock said "held" at this time or later
	End       int64 // Release has returned
	Lost      bool
	Failed    int // calls of Acquire before this one that got nothing
}

// A chaosHistory is what was seen in a round.
type chaosHistory struct {
	seed  uint64
	harsh bool
	holds []hold
	stats chaosStats
}

var chaosKeys = []string{"fenced:a", "fenced:b", "plain:c"}

func chaosRound(t *testing.T, seed uint64, length time.Duration) chaosHistory {
	return chaosRoundWith(t, seed, length, false)
}

func chaosRoundWith(t *testing.T, seed uint64, length time.Duration, broken bool) chaosHistory {
	t.Helper()
	const processes, goroutines = 3, 6
	h := chaosHistory{seed: seed, harsh: seed%2 == 1}
	rnd := rand.New(rand.NewPCG(seed, 0))
	h.stats.Rounds = 1
	t.Run(fmt.Sprint("seed=", seed), func(t *testing.T) {
		s := redistest.Start(t)
		noImmortal(t, s)
		proxies := make([]*proxy, processes)
		kids := make([]*child, processes)
		var collect sync.WaitGroup
		var mu sync.Mutex
		begin := time.Now()
		launch := func(i int) {
			kids[i] = startChild(t, "chaos", s, childJob{
				Network: "tcp", Addr: proxies[i].addr(), Keys: chaosKeys, N: goroutines,
				For: length - time.Since(begin), Seed: rnd.Uint64(), ID: i, Broken: broken})
			out := kids[i].out
			collect.Go(func() {
				for {
					var x hold
					if err := out.Decode(&x); err != nil {
						if !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, os.ErrClosed) {
							t.Errorf("seed %d: output of a process: %v", seed, err)
						}
						return
					}
					mu.Lock()
					h.holds = append(h.holds, x)
					mu.Unlock()
				}
			})
		}
		for i := range kids {
			proxies[i] = newProxy(t, s)
			launch(i)
		}
		// Real time is the subject from here on: faults that last, between real processes.
		for time.Since(begin) < length-500*time.Millisecond {
			time.Sleep(time.Duration(20+rnd.IntN(180)) * time.Millisecond)
			i := rnd.IntN(processes)
			p := proxies[i]
			span := time.Duration(30+rnd.IntN(500)) * time.Millisecond
			h.stats.Faults++
			kinds := 5
			if h.harsh {
				kinds = 9
			}
			switch rnd.IntN(kinds) {
			case 0, 1, 2:
				command := []string{"set", "evalsha"}[rnd.IntN(2)]
				p.harm(command, loss(1+rnd.IntN(3)), 1+rnd.IntN(3))
			case 3:
				p.cut()
			case 4:
				p.dark.Store(true)
				time.AfterFunc(span, func() { p.dark.Store(false); p.cut() })
			case 5:
				kids[i].suspend(t)
				time.Sleep(span)
				kids[i].resume(t)
			case 6:
				s.Pause(t)
				time.Sleep(span)
				s.Resume(t)
			case 7:
				s.Restart(t)
			case 8:
				kids[i].kill()
				h.stats.Kills++
				launch(i)
			}
		}
		collect.Wait() // the processes end by themselves
		for _, k := range kids {
			if err := k.cmd.Wait(); err != nil {
				t.Errorf("seed %d: a process ended with %v", seed, err)
			}
		}
		c := s.Client(t)
		for _, k := range chaosKeys {
			gone(t, c, k) // at most by the ttl of an orphan
		}
	})
	for _, x := range h.holds {
		h.stats.Holds++
		h.stats.Failed += x.Failed
		if x.Lost {
			h.stats.Lost++
		}
	}
	return h
}

// check holds the history against its models.
func (h chaosHistory) check(t *testing.T) chaosStats {
	t.Helper()
	replay := fmt.Sprintf("run it again: LOCKRT_CHAOS_SEED=%d go test -run 'TestChaos$' -v ./runtime", h.seed)
	if h.stats.Holds == 0 {
		t.Errorf("seed %d: nothing was ever held; %s", h.seed, replay)
	}
	if !h.harsh {
		if got := h.exclusion(); got != porcupine.Ok {
			t.Errorf("seed %d: mutual exclusion: %s; %s", h.seed, got, replay)
		}
	}
	if got := h.fences(); got != porcupine.Ok {
		t.Errorf("seed %d: fences: %s; %s", h.seed, got, replay)
	}
	return h.stats
}

// exclusion: a key has one holder from somewhere in its Acquire until at least the last time
// its lock said that it is held.
func (h chaosHistory) exclusion() porcupine.CheckResult {
	type op struct {
		token string
		end   bool
	}
	model := porcupine.Model{
		Init: func() any { return "" },
		Step: func(state, input, _ any) (bool, any) {
			in := input.(op)
			if in.end {
				return state == in.token, ""
			}
			return state == "", in.token
		},
	}
	return h.perKey(model, func(x hold, add func(any, int64, int64)) {
		add(op{x.Token, false}, x.Call, x.Ret)
		add(op{x.Token, true}, x.Valid, max(x.End, x.Valid))
	})
}

// fences: numbers rise in the order of the acquisitions.
func (h chaosHistory) fences() porcupine.CheckResult {
	model := porcupine.Model{
		Init: func() any { return int64(0) },
		Step: func(state, input, _ any) (bool, any) {
			return input.(int64) > state.(int64), input
		},
	}
	return h.perKey(model, func(x hold, add func(any, int64, int64)) {
		if strings.HasPrefix(x.Key, "fenced") {
			add(x.Fence, x.Call, x.Ret)
		}
	})
}

func (h chaosHistory) perKey(model porcupine.Model, ops func(hold, func(any, int64, int64))) porcupine.CheckResult {
	for _, key := range chaosKeys {
		var history []porcupine.Operation
		for i, x := range h.holds {
			if x.Key == key {
				ops(x, func(in any, call, ret int64) {
					history = append(history, porcupine.Operation{ClientId: i, Input: in, Call: call, Return: ret})
				})
			}
		}
		if got := porcupine.CheckOperationsTimeout(model, history, time.Minute); got != porcupine.Ok {
			return got
		}
	}
	return porcupine.Ok
}

// A checker that cannot fail shows nothing: a lock made by hand must be seen.
func TestChaosSeesBrokenLock(t *testing.T) {
	redistest.Path(t)
	noLeak(t)
	h := chaosRoundWith(t, 2, 1500*time.Millisecond, true)
	if got := h.exclusion(); got != porcupine.Illegal {
		t.Errorf("%d holds of a broken lock: %s", len(h.holds), got)
	}
	h = chaosHistory{holds: []hold{
		{Key: "fenced:a", Fence: 2, Call: 1, Ret: 2}, {Key: "fenced:a", Fence: 1, Call: 3, Ret: 4}}}
	if got := h.fences(); got != porcupine.Illegal {
		t.Errorf("falling fences: %s", got)
	}
	h.holds[1].Fence = 2
	if got := h.fences(); got != porcupine.Illegal {
		t.Errorf("equal fences: %s", got)
	}
}

// childChaos takes keys in N goroutines until its time is over.
func childChaos(job childJob, out *json.Encoder) error {
	c := redis.NewClient(&redis.Options{Network: job.Network, Addr: job.Addr,
		DialTimeout: 200 * time.Millisecond, DialerRetries: 1, ReadTimeout: 150 * time.Millisecond, WriteTimeout: 150 * time.Millisecond})
	plain, err := lockrt.New(c)
	if err != nil {
		return err
	}
	fenced, err := lockrt.New(c, lockrt.Fencing())
	if err != nil {
		return err
	}
	var mu sync.Mutex
	end := time.Now().Add(job.For)
	var wg sync.WaitGroup
	for g := range job.N {
		rnd := rand.New(rand.NewPCG(job.Seed, uint64(g)))
		wg.Go(func() {
			failed := 0
			for time.Now().Before(end) {
				key := job.Keys[rnd.IntN(len(job.Keys))]
				l := plain
				if strings.HasPrefix(key, "fenced") {
					l = fenced
				}
				take := takeLock
				if job.Broken {
					take = takeBroken
				}
				x := take(rnd, c, l, key)
				if x == nil {
					failed++
					continue
				}
				x.Key, x.Failed, failed = key, failed, 0
				mu.Lock()
				_ = out.Encode(x)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return nil
}

// takeLock acquires in one of the ways that the API offers, holds for a while, and releases. It
// returns nil if it got nothing.
func takeLock(rnd *rand.Rand, _ *redis.Client, l *lockrt.Locker, key string) *hold {
	ctx, cancel := context.WithTimeout(context.Background(), time.Duration(20+rnd.IntN(600))*time.Millisecond)
	defer cancel()
	ttl := time.Duration(60+rnd.IntN(300)) * time.Millisecond
	work := time.Duration(rnd.IntN(20)) * time.Millisecond
	if rnd.IntN(8) == 0 {
		work = ttl * 2 // more than one lease
	}
	x := &hold{Call: time.Now().UnixNano()}
	use := func(held context.Context) {
		until := time.Now().Add(work)
		for {
			now := time.Now() // before the look: the lock says "held" at now or later
			if held.Err() != nil {
				x.Lost = true
				return
			}
			x.Valid = now.UnixNano()
			if now.After(until) {
				return
			}
			time.Sleep(time.Millisecond) // between two looks of a holder at its work
		}
	}
	if rnd.IntN(3) == 0 {
		ran := false
		_ = l.Do(context.WithoutCancel(ctx), key, ttl, func(held context.Context) error {
			ran = true
			x.Ret = time.Now().UnixNano()
			x.Valid, x.Fence = x.Ret, lockrt.Fence(held)
			x.Token = fmt.Sprint(x.Ret, "/", rnd.Uint64())
			use(held)
			return nil
		})
		if !ran {
			return nil
		}
	} else {
		get := l.Acquire
		if rnd.IntN(3) == 0 {
			get = l.TryAcquire
		}
		opts := []lockrt.Option{lockrt.ReleaseTimeout(400 * time.Millisecond)}
		if rnd.IntN(2) == 0 {
			opts = append(opts, lockrt.AutoRenew(), lockrt.MaxHold(time.Second))
		}
		k, err := get(ctx, key, ttl, opts...)
		if err != nil {
			return nil
		}
		x.Ret = time.Now().UnixNano()
		x.Valid, x.Fence, x.Token = x.Ret, k.Fence(), k.Token()
		use(k.Context())
		if rnd.IntN(10) != 0 { // now and then a handle is forgotten
			_ = k.Release(ctx)
		}
	}
	x.End = time.Now().UnixNano()
	return x
}

// takeBroken is takeLock with a lock made by hand.
func takeBroken(rnd *rand.Rand, c *redis.Client, _ *lockrt.Locker, key string) *hold {
	ctx := context.Background()
	x := &hold{Call: time.Now().UnixNano()}
	x.Token = fmt.Sprint(x.Call, "/", rnd.Uint64())
	ok, err := c.SetNX(ctx, key, 1, 20*time.Millisecond).Result()
	if err != nil || !ok {
		time.Sleep(time.Millisecond) // as locks made by hand wait
		return nil
	}
	x.Ret = time.Now().UnixNano()
	time.Sleep(time.Duration(rnd.IntN(40)) * time.Millisecond) // work, often longer than the ttl
	x.Valid = time.Now().UnixNano()
	_ = c.Del(ctx, key)
	x.End = time.Now().UnixNano()
	return x
}
