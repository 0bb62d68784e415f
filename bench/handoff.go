package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/locklint/locklint/internal/redistest"
	"github.com/redis/go-redis/v9"
)

const holdFor = 2 * time.Millisecond

// handoffTable: how a held key gets from one waiter to the next. Each holder keeps it
// for 2 ms, and may not come back before somebody else had it.
func handoffTable(s *redistest.Server) {
	stats := redis.NewClient(s.Options())
	defer stats.Close()
	for _, separate := range []bool{false, true} {
		for _, waiters := range contenders {
			where := "in one process"
			if separate {
				where = "with a client each"
			}
			title := fmt.Sprintf("Hand-off among %d waiters %s; commands include those in scripts", waiters, where)
			table(title, "|hand-offs/s|p50|p99|commands|fairness|p50 to lockrt", func(row func(...any)) {
				var base time.Duration
				for i, sub := range []subject{lockrtPlain, bsm, redsyncLock, rue} {
					r := contend(s, stats, sub, waiters, separate)
					if i == 0 {
						base = r.p50
					}
					row(sub.name, int(r.perSecond), r.p50, r.p99, r.commands, r.fairness, float64(r.p50)/float64(base))
				}
			})
		}
	}
}

type contention struct {
	perSecond, commands, fairness float64
	p50, p99                      time.Duration
}

// A baton counts acquisitions and knows when the last release began.
type baton struct {
	mu       sync.Mutex
	moved    *sync.Cond
	got      int
	released time.Time
	holders  int
	took     []time.Duration
}

func contend(s *redistest.Server, stats *redis.Client, sub subject, waiters int, separate bool) contention {
	locks := []lock{sub.open(s)}
	for separate && len(locks) < waiters {
		locks = append(locks, sub.open(s))
	}
	defer func() {
		for _, l := range locks {
			l.close()
		}
	}()
	var b baton
	b.moved = sync.NewCond(&b.mu)
	counts := make([]int, waiters)
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	for w := range waiters {
		l := locks[w%len(locks)]
		wg.Go(func() {
			for ctx.Err() == nil {
				unlock, err := l.lock(ctx, "hot")
				if err != nil && ctx.Err() != nil {
					return
				} else if err != nil {
					env.Fatal(sub.name, ": ", err)
				}
				now := time.Now()
				b.mu.Lock()
				if b.holders++; b.holders > 1 {
					env.Fatal(sub.name, ": ", errors.New("two holders"))
				}
				if !b.released.IsZero() {
					b.took = append(b.took, now.Sub(b.released))
				}
				b.got++
				mine := b.got
				counts[w]++
				b.moved.Broadcast()
				b.mu.Unlock()
				time.Sleep(holdFor)
				b.mu.Lock()
				b.holders--
				b.released = time.Now()
				b.mu.Unlock()
				if err := unlock(); err != nil && ctx.Err() == nil {
					env.Fatal(sub.name, ": ", err)
				}
				b.mu.Lock()
				for b.got == mine && ctx.Err() == nil {
					b.moved.Wait()
				}
				b.mu.Unlock()
			}
		})
	}
	time.Sleep(*handoff / 5) // a warm-up that does not count: connections, scripts, lines
	b.mu.Lock()
	clear(counts)
	b.took = b.took[:0]
	b.mu.Unlock()
	before, start := commands(stats), time.Now()
	time.Sleep(*handoff) // the time that is measured
	used, run := commands(stats)-before, time.Since(start)
	b.mu.Lock()
	took, per := slices.Clone(b.took), slices.Clone(counts)
	b.mu.Unlock()
	cancel()
	b.mu.Lock()
	b.moved.Broadcast()
	b.mu.Unlock()
	wg.Wait()
	stats.Del(context.Background(), "hot", "rueidislock:0:hot") // some leave it when their context has ended
	slices.Sort(took)
	n := float64(len(took))
	return contention{perSecond: n / run.Seconds(), commands: float64(used) / n, fairness: jain(per),
		p50: percentile(took, .5), p99: percentile(took, .99)}
}

// jain is 1 when all have the same share, and 1/n when one has everything.
func jain(counts []int) float64 {
	var sum, squares float64
	for _, c := range counts {
		sum += float64(c)
		squares += float64(c) * float64(c)
	}
	return sum * sum / (float64(len(counts)) * squares)
}
