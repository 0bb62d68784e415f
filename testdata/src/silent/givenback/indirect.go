package givenback

import (
	"context"
	"log"

	"github.com/redis/go-redis/v9"
)

// One literal gives the mark back and passes the error on.
func assemble(ctx context.Context, rdb *redis.Client, kit string, steps ...func() error) error {
	key := "assembled:" + kit
	if ok, err := rdb.SetNX(ctx, key, "1", day).Result(); err != nil || !ok {
		return err
	}
	fail := func(err error) error {
		rdb.Del(ctx, key)
		return err
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return fail(err)
		}
	}
	return nil
}

// A list of things to undo, run where the work failed.
func paint(ctx context.Context, rdb *redis.Client, kit string, do func() error) error {
	key := "painted:" + kit
	var undo []func()
	if ok, err := rdb.SetNX(ctx, key, "1", day).Result(); err != nil || !ok {
		return err
	}
	undo = append(undo, func() { rdb.Del(ctx, key) })
	if err := do(); err != nil {
		for _, u := range undo {
			u()
		}
		return err
	}
	return nil
}

// A method that takes the mark back; its name is all it says.
type belt struct{ rdb *redis.Client }

func (b *belt) rollback(ctx context.Context, key string) { b.rdb.Del(ctx, key) }

func (b *belt) move(ctx context.Context, crate string, do func() error) error {
	key := "moved:" + crate
	if ok, err := b.rdb.SetNX(ctx, key, "1", day).Result(); err != nil || !ok {
		return err
	}
	if err := do(); err != nil {
		b.rollback(ctx, key)
		return err
	}
	return nil
}

// A function for the caller, who says how it went.
func accept(ctx context.Context, rdb *redis.Client, message string) (settle func(done bool), ok bool) {
	key := "message:" + message
	if first, err := rdb.SetNX(ctx, key, 1, day).Result(); err != nil || !first {
		return nil, false
	}
	return func(done bool) {
		if !done {
			rdb.Del(ctx, key)
		}
	}, true
}

// Queued elsewhere, or done here and now: the mark stays when the queue took it.
func enqueue(ctx context.Context, rdb *redis.Client, task string, here func() bool) bool {
	key := "enqueued:" + task
	won, err := rdb.SetNX(ctx, key, "1", day).Result()
	if err == nil && !won {
		return true
	}
	if err == nil {
		if err = rdb.RPush(ctx, "tasks", task).Err(); err == nil {
			return true
		}
		_ = rdb.Del(ctx, key).Err()
	}
	return here()
}

// The marks of the messages that failed, together behind the loop.
func drain(ctx context.Context, rdb *redis.Client, messages []string, handle func(string) error) {
	var failed []string
	for _, m := range messages {
		key := "drained:" + m
		if first, err := rdb.SetNX(ctx, key, 1, day).Result(); err != nil || !first {
			continue
		}
		if err := handle(m); err != nil {
			log.Print(err)
			failed = append(failed, key)
		}
	}
	if len(failed) > 0 {
		rdb.Del(ctx, failed...)
	}
}

// All marks of a batch that failed as a whole.
func flush(ctx context.Context, rdb *redis.Client, messages []string, write func([]string) error) error {
	var fresh, keys []string
	for _, m := range messages {
		key := "flushed:" + m
		first, err := rdb.SetNX(ctx, key, 1, day).Result()
		if err != nil {
			return err
		}
		if first {
			fresh, keys = append(fresh, m), append(keys, key)
		}
	}
	if err := write(fresh); err != nil {
		rdb.Del(ctx, keys...)
		return err
	}
	return nil
}

// The mark is optional, and both sides ask for the option.
func pickUp(ctx context.Context, rdb *redis.Client, parcel string, once bool, do func() error) error {
	key := "picked:" + parcel
	if once {
		if ok, err := rdb.SetNX(ctx, key, "1", day).Result(); err != nil || !ok {
			return err
		}
	}
	err := do()
	if err != nil && once {
		if delErr := rdb.Del(ctx, key).Err(); delErr != nil {
			log.Print(delErr)
		}
	}
	return err
}
