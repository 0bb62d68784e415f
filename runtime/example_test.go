package lockrt_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log"
	"time"

	lockrt "github.com/locklint/locklint/runtime"
	"github.com/redis/go-redis/v9"
)

// What an application has at hand.
var (
	app      = context.Background()
	rdb      = redis.NewClient(&redis.Options{Addr: "localhost:6379"})
	locks, _ = lockrt.New(rdb)
	db       *sql.DB
)

func ExampleNew() {
	client := redis.NewClient(&redis.Options{Addr: "localhost:6379"})
	locker, err := lockrt.New(client) // one for the whole process
	if err != nil {
		log.Fatal(err)
	}
	_ = locker
}

func ExampleLocker_Do() {
	err := locks.Do(app, "jobs:42", 30*time.Second, func(ctx context.Context) error {
		return rebuild(ctx) // stops when ctx ends
	})
	switch {
	case errors.Is(err, lockrt.ErrHeld):
		log.Print("ctx ended while another was at it")
	case errors.Is(err, lockrt.ErrLost):
		log.Print("part of the work was done without the lock: ", err)
	case err != nil:
		log.Print(err)
	}
}

func ExampleLocker_TryAcquire() {
	lock, err := locks.TryAcquire(app, "cron:nightly", time.Minute, lockrt.AutoRenew(), lockrt.MaxHold(time.Hour))
	if errors.Is(err, lockrt.ErrHeld) {
		return // another instance runs it
	}
	if err != nil {
		log.Print(err)
		return
	}
	defer func() {
		if err := lock.Release(app); err != nil {
			log.Print(err)
		}
	}()
	if err := rebuild(lock.Context()); err != nil {
		log.Print(err)
	}
}

func ExampleFencing() {
	err := locks.Do(app, "order:7", 10*time.Second, func(ctx context.Context) error {
		fence := lockrt.Fence(ctx)
		r, err := db.ExecContext(ctx, `UPDATE orders SET status = 'paid', fence = $1 WHERE id = 7 AND fence <= $1`, fence)
		if err != nil {
			return err
		}
		if n, err := r.RowsAffected(); err != nil || n == 0 {
			return fmt.Errorf("a newer holder has written: %w", errors.Join(lockrt.ErrLost, err))
		}
		return nil
	}, lockrt.Fencing())
	log.Print(err)
}

func ExampleCompareAndDelete() {
	var token string // the value the key was set to
	deleted, err := lockrt.CompareAndDelete(app, rdb, "lock:7", token).Bool()
	if err == nil && !deleted {
		log.Print("the lock had expired, and may be another's now")
	}
}

func rebuild(context.Context) error { return nil }
