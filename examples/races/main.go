// Races shows two races of hand-made Redis locks as they happen, and the same
// schedules with right locks:
//
//	go run ./races
//
// It runs against a Redis inside the program (miniredis), or against a real one at
// $REDIS_ADDR. There it uses keys of its own and deletes them.
package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"
)

func main() {
	if crashes(os.Args[1:]) {
		return
	}
	if err := run(context.Background(), os.Stdout, os.Getenv("REDIS_ADDR")); err != nil {
		fmt.Fprintln(os.Stderr, "races:", err)
		os.Exit(1)
	}
}

// run shows both races at the Redis at addr, or at one inside the program.
func run(ctx context.Context, w io.Writer, addr string) error {
	where := "Redis at " + addr
	if addr == "" {
		m, err := miniredis.Run()
		if err != nil {
			return err
		}
		defer m.Close()
		defer passTime(m)()
		addr, where = m.Addr(), "miniredis, a Redis inside this program (REDIS_ADDR=host:port takes a real one)"
	}
	rdb := redis.NewClient(&redis.Options{Addr: addr})
	defer rdb.Close()
	if err := rdb.Ping(ctx).Err(); err != nil {
		return fmt.Errorf("no Redis at %s: %w", addr, err)
	}
	fmt.Fprintln(w, where)
	prefix := "locklint:races:" + strings.ToLower(rand.Text()[:6]) + ":"
	for _, show := range []func(context.Context, *timeline, string) error{crash, late} {
		if err := show(ctx, &timeline{w: w, rdb: rdb, prefix: prefix}, addr); err != nil {
			return err
		}
	}
	return nil
}

// passTime lets keys of m expire as time goes by, which miniredis leaves to its user.
// It returns a function that ends it.
func passTime(m *miniredis.Miniredis) func() {
	tick := time.NewTicker(5 * time.Millisecond)
	done := make(chan struct{})
	go func() {
		last := time.Now()
		for {
			select {
			case <-done:
				return
			case now := <-tick.C:
				m.FastForward(now.Sub(last))
				last = now
			}
		}
	}()
	return func() { tick.Stop(); close(done) }
}
