package main

import (
	"context"
	"time"

	lockrt "github.com/locklint/locklint/runtime"
)

// late is the race of unowned-release: A works for longer than its TTL, and its DEL
// frees the lock of B, so that C gets in while B works.
func late(ctx context.Context, t *timeline, _ string) error {
	for _, compare := range []bool{false, true} {
		title := "2a. released by DEL (unowned-release)"
		if compare {
			title = "2b. the same pause, released by compare-and-delete"
		}
		t.begin(title, "late")
		if _, err := t.acquire(ctx, "A", 300*time.Millisecond); err != nil {
			return err
		}
		if err := t.expire(ctx); err != nil {
			return err
		}
		if err := t.step(ctx, "", "A works on, its TTL is over"); err != nil {
			return err
		}
		if _, err := t.acquire(ctx, "B", 10*time.Second); err != nil {
			return err
		}
		if err := t.release(ctx, "A", compare); err != nil {
			return err
		}
		got, err := t.acquire(ctx, "C", 10*time.Second)
		if err != nil {
			return err
		}
		moral := "A deleted nothing: B still has its lock, C waits"
		if got {
			moral = "A deleted B's lock: B and C both believe that they hold it"
		}
		if err := t.end(ctx, moral); err != nil {
			return err
		}
	}
	return nil
}

// release frees the key of who, in the wrong way or in the right one.
func (t *timeline) release(ctx context.Context, who string, compare bool) error {
	if !compare {
		//locklint:ignore unowned-release the fault that this program shows
		n, err := t.rdb.Del(ctx, t.key).Result()
		if err != nil {
			return err
		}
		return t.step(ctx, who, "DEL key: %d", n)
	}
	n, err := lockrt.CompareAndDelete(ctx, t.rdb, t.key, t.tokens[who]).Int()
	if err != nil {
		return err
	}
	return t.step(ctx, who, "compare with %s and DEL: %d", t.tokens[who], n)
}
