// Package badargs gives options to SETNX, which takes none: Redis refuses the
// command every time, so this needs no sign of a lock [A14].
package badargs

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

// Never acquired: only err == nil is looked at.
func claim(ctx context.Context, rdb *redis.Client, table string) bool {
	return rdb.Do(ctx, "SETNX", "table:"+table, rand.Text(), "EX", 10).Err() == nil // want `bad-args: `
}

// Never exclusive: the error is dropped.
type waiter struct{ rdb redis.UniversalClient }

func (w *waiter) serve(ctx context.Context, table string, fn func()) {
	w.rdb.Do(ctx, "setnx", "serve:"+table, 1, "px", (10 * time.Second).Milliseconds()) // want `bad-args: `
	fn()
}

// In a literal, the option in another place.
func retry(ctx context.Context, rdb *redis.Client, table string) error {
	try := func() (bool, error) {
		return rdb.Do(ctx, "SetNX", "retry:"+table, "1", "NX", "EX", 30).Bool() // want `bad-args: `
	}
	for range 3 {
		if ok, err := try(); err != nil || ok {
			return err
		}
	}
	return errors.New("table taken")
}

// Through Process.
func seat(ctx context.Context, rdb *redis.Client, guest string) error {
	return rdb.Process(ctx, redis.NewCmd(ctx, "SETNX", "guest:"+guest, "1", "EX", 60)) // want `bad-args: `
}

// In a pipeline.
func seatAll(ctx context.Context, rdb *redis.Client, guests []string) error {
	_, err := rdb.Pipelined(ctx, func(p redis.Pipeliner) error {
		for _, g := range guests {
			p.Do(ctx, "SETNX", "seat:"+g, 1, "EX", 60) // want `bad-args: `
		}
		return nil
	})
	return err
}
