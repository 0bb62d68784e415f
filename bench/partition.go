package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/bsm/redislock"
	"github.com/go-redsync/redsync/v4"
	"github.com/go-redsync/redsync/v4/redis/goredis/v9"
	"github.com/locklint/locklint/internal/redistest"
	lockrt "github.com/locklint/locklint/runtime"
	"github.com/redis/go-redis/v9"
	"github.com/redis/rueidis/rueidislock"
)

// partitionTable: a holder that renews is cut off. When does it hear that it no longer
// has the lock, and when is the key free for others?
func partitionTable(s *redistest.Server) {
	type holder struct {
		name string
		key  string
		hold func(addr string, held, told func())
	}
	holders := []holder{
		{"lockrt", "p1", func(addr string, held, told func()) {
			l, err := lockrt.New(redis.NewClient(&redis.Options{Addr: addr}))
			if err != nil {
				env.Fatal(err)
			}
			_ = l.Do(context.Background(), "p1", *partition, func(ctx context.Context) error {
				held()
				<-ctx.Done()
				told()
				return nil
			})
		}},
		{"bsm/redislock, Refresh every ttl/2", "p2", func(addr string, held, told func()) {
			k, err := redislock.New(redis.NewClient(&redis.Options{Addr: addr})).Obtain(context.Background(), "p2", *partition, nil)
			if err != nil {
				env.Fatal(err)
			}
			held()
			for err == nil {
				time.Sleep(*partition / 2) // as users of it do
				err = k.Refresh(context.Background(), *partition, nil)
			}
			told()
		}},
		{"redsync, Extend every ttl/2", "p3", func(addr string, held, told func()) {
			m := redsync.New(goredis.NewPool(redis.NewClient(&redis.Options{Addr: addr}))).NewMutex("p3", redsync.WithExpiry(*partition))
			if err := m.Lock(); err != nil {
				env.Fatal(err)
			}
			held()
			for ok := true; ok; {
				time.Sleep(*partition / 2) // as users of it do
				ok, _ = m.Extend()
			}
			told()
		}},
		{"rueidislock", "rueidislock:0:p4", func(addr string, held, told func()) {
			o := rueidisOption(addr)
			o.KeyValidity = *partition
			l, err := rueidislock.NewLocker(o)
			if err != nil {
				env.Fatal(err)
			}
			ctx, cancel, err := l.WithContext(context.Background(), "p4")
			if err != nil {
				env.Fatal(err)
			}
			defer cancel()
			held()
			<-ctx.Done()
			told()
		}},
	}
	type result struct{ told, free time.Time }
	results := make([]result, len(holders))
	var wg sync.WaitGroup
	for i, h := range holders {
		wg.Go(func() {
			c := redis.NewClient(s.Options())
			defer c.Close()
			p := newCutter(s.Addr)
			toldAt := make(chan time.Time, 1)
			cut := make(chan struct{})
			go h.hold(p.addr(), func() { close(cut) }, func() { toldAt <- time.Now() })
			<-cut
			time.Sleep(100 * time.Millisecond) // into the lease, before the first renewal
			p.dark.Store(true)
			for c.Exists(context.Background(), h.key).Val() == 1 {
				time.Sleep(time.Millisecond) // the end of a ttl sends no event
			}
			results[i].free = time.Now()
			select {
			case results[i].told = <-toldAt:
			case <-time.After(time.Minute):
			}
		})
	}
	wg.Wait()
	table(fmt.Sprintf("A holder that renews a lease of %v is cut off", *partition), "|told after the key was free", func(row func(...any)) {
		for i, h := range holders {
			if results[i].told.IsZero() {
				row(h.name, "never, in a minute")
				continue
			}
			row(h.name, results[i].told.Sub(results[i].free).Round(time.Millisecond))
		}
	})
}

// A cutter forwards connections, until it is dark: then it takes bytes and drops them.
type cutter struct {
	net.Listener
	dark     atomic.Bool
	requests atomic.Int64 // that went to the server
}

func newCutter(server string) *cutter {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		env.Fatal(err)
	}
	c := &cutter{Listener: l}
	go func() {
		for {
			in, err := l.Accept()
			if err != nil {
				return
			}
			out, err := net.Dial("tcp", server)
			if err != nil {
				in.Close()
				continue
			}
			go c.forward(in, out, nil)
			go c.forward(out, in, &c.requests)
		}
	}()
	return c
}

func (c *cutter) addr() string { return c.Listener.Addr().String() }

func (c *cutter) forward(to, from net.Conn, requests *atomic.Int64) {
	defer to.Close()
	_, _ = io.Copy(writerFunc(func(b []byte) (int, error) {
		if c.dark.Load() {
			return len(b), nil
		}
		if requests != nil { // each is an array, and no argument here begins with a star
			requests.Add(int64(bytes.Count(b, []byte("\r\n*"))))
			if bytes.HasPrefix(b, []byte("*")) {
				requests.Add(1)
			}
		}
		return to.Write(b)
	}), from)
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }
