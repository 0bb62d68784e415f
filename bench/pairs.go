package main

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/locklint/locklint/internal/redistest"
	"github.com/redis/go-redis/v9"
)

// A sample is one subject in one round.
type sample struct {
	perSecond, allocs, bytes float64
	p50, p99                 time.Duration
}

// pairTable: what an uncontended acquire and release cost.
func pairTable(s *redistest.Server) {
	subjects := []subject{bare, lockrtPlain, lockrtCancellable, lockrtPipeline, lockrtPipelineCtx, bsm, redsyncLock, rue}
	sent := make([]float64, len(subjects))
	for i, sub := range subjects {
		sent[i] = requestsPerPair(s, sub)
	}
	for _, workers := range parallel {
		locks := make([]lock, len(subjects))
		samples := make([][]sample, len(subjects))
		for i, sub := range subjects {
			locks[i] = sub.open(s)
			pairs(sub, locks[i], workers, *slice/3) // connections, scripts
		}
		for range *rounds {
			for i := range subjects {
				samples[i] = append(samples[i], pairs(subjects[i], locks[i], workers, *slice))
			}
		}
		title := fmt.Sprintf("Uncontended acquire and release, %d goroutines with a key each; medians of %d rounds", workers, *rounds)
		table(title, "|pairs/s|p50|p99|allocs|bytes|requests|p50 to raw|pairs/s to rueidislock", func(row func(...any)) {
			for i, sub := range subjects {
				of := func(f func(sample) float64) float64 {
					var v []float64
					for _, x := range samples[i] {
						v = append(v, f(x))
					}
					return median(v)
				}
				var toRaw, toRue []float64
				for r, x := range samples[i] {
					toRaw = append(toRaw, float64(x.p50)/float64(samples[0][r].p50))
					toRue = append(toRue, x.perSecond/samples[len(subjects)-1][r].perSecond)
				}
				row(sub.name, int(of(func(x sample) float64 { return x.perSecond })),
					time.Duration(of(func(x sample) float64 { return float64(x.p50) })),
					time.Duration(of(func(x sample) float64 { return float64(x.p99) })),
					of(func(x sample) float64 { return x.allocs }),
					int(of(func(x sample) float64 { return x.bytes })),
					sent[i], median(toRaw), median(toRue))
			}
		})
		for _, l := range locks {
			l.close()
		}
	}
}

// pairs runs one subject for a while.
func pairs(sub subject, l lock, workers int, run time.Duration) sample {
	took := make([][]time.Duration, workers)
	for w := range took {
		took[w] = make([]time.Duration, 0, 1<<15) // before the allocations are counted
	}
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	hangs := time.AfterFunc(time.Minute, func() { env.Fatalf("%s hangs", sub.name) })
	defer hangs.Stop()
	ctx := sub.ctx
	if ctx == nil {
		ctx = context.Background()
	}
	var wg sync.WaitGroup
	for w := range workers {
		key := "pair" + strconv.Itoa(w)
		wg.Go(func() {
			for begin := start; begin.Sub(start) < run; {
				unlock, err := l.lock(ctx, key)
				if err == nil {
					err = unlock()
				}
				if err != nil {
					env.Fatal(err)
				}
				now := time.Now()
				took[w] = append(took[w], now.Sub(begin))
				begin = now
			}
		})
	}
	wg.Wait()
	all := time.Since(start)
	runtime.ReadMemStats(&after)
	merged := slices.Concat(took...)
	slices.Sort(merged)
	n := float64(len(merged))
	return sample{
		perSecond: n / all.Seconds(),
		allocs:    float64(after.Mallocs-before.Mallocs) / n,
		bytes:     float64(after.TotalAlloc-before.TotalAlloc) / n,
		p50:       percentile(merged, .5),
		p99:       percentile(merged, .99),
	}
}

// requestsPerPair counts what a subject sends, on the way to the server.
func requestsPerPair(s *redistest.Server, sub subject) float64 {
	way := newCutter(s.Addr)
	defer way.Close()
	l := sub.open(&redistest.Server{Network: "tcp", Addr: way.addr()})
	defer l.close()
	const n = 100
	var before int64
	for i := range n + 5 {
		if i == 5 { // connections and scripts are there
			before = way.requests.Load()
		}
		unlock, err := l.lock(context.Background(), "counted")
		if err == nil {
			err = unlock()
		}
		if err != nil {
			env.Fatal(sub.name, ": ", err)
		}
	}
	return float64(way.requests.Load()-before) / n
}

// commands counts everything the server executed, also inside scripts, but INFO.
func commands(stats *redis.Client) int {
	n := 0
	for name, calls := range commandCalls(stats) {
		if name != "info" {
			n += calls
		}
	}
	return n
}

func commandCalls(stats *redis.Client) map[string]int {
	info, err := stats.Info(context.Background(), "commandstats").Result()
	if err != nil {
		env.Fatal(err)
	}
	calls := map[string]int{}
	for line := range strings.Lines(info) {
		name, rest, ok := strings.Cut(strings.TrimPrefix(line, "cmdstat_"), ":calls=")
		if !ok {
			continue
		}
		n, _, _ := strings.Cut(rest, ",")
		c, err := strconv.Atoi(n)
		if err != nil {
			env.Fatalf("INFO commandstats: %q", line)
		}
		calls[name] = c
	}
	return calls
}
