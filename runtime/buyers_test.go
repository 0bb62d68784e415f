package lockrt_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"strconv"
	"sync"
	"testing"
	"time"

	lockrt "github.com/locklint/locklint/runtime"
	"github.com/redis/go-redis/v9"
)

// The classic acceptance test of a Redis lock: 1000 buyers in several processes want 100 items.
// Stock and sales are plain keys that only the lock protects. With a lock made by hand
// whose ttl is shorter than the work now and then, and which deletes without a look, more
// is sold than was there.
func TestBuyers(t *testing.T) {
	const (
		processes = 4
		buyers    = 1000
		items     = 100
	)
	s := start(t)
	c := s.Client(t)
	sell := func(broken bool) (sold int) {
		c.Set(t.Context(), "data:stock", items, 0)
		c.Del(t.Context(), "data:sales")
		kids := make([]*child, processes)
		for i := range kids {
			kids[i] = startChild(t, "buyers", s, childJob{Key: "lock", TTL: 10 * time.Second, N: buyers / processes, ID: i, Broken: broken})
		}
		bought := 0
		for _, k := range kids {
			var n int
			k.read(t, &n)
			bought += n
		}
		sold = int(c.LLen(t.Context(), "data:sales").Val())
		if sold != bought {
			t.Errorf("%d sales, but %d buyers think they bought", sold, bought)
		}
		return sold
	}
	if sold := sell(false); sold != items {
		t.Errorf("%d of %d items sold", sold, items)
	}
	if sold := sell(true); sold <= items {
		t.Errorf("the broken lock sold %d of %d items: this test cannot see a broken lock", sold, items)
	} else {
		t.Logf("the broken lock sold %d of %d items", sold, items)
	}
}

// childBuyers lets N buyers try to buy one item each, and reports how many did.
func childBuyers(job childJob, out *json.Encoder) error {
	c := job.client()
	l, err := lockrt.New(c)
	if err != nil {
		return err
	}
	var (
		ctx    = context.Background()
		mu     sync.Mutex
		bought int
		first  error
		wg     sync.WaitGroup
	)
	for b := range job.N {
		buyer := strconv.Itoa(job.ID) + "/" + strconv.Itoa(b)
		wg.Go(func() {
			buy := func(ctx context.Context) error {
				stock, err := c.Get(ctx, "data:stock").Int()
				if err != nil || stock == 0 {
					return err
				}
				if job.Broken && b%4 == 0 {
					time.Sleep(8 * time.Millisecond) // slow now and then, as work is
				}
				if err := c.Set(ctx, "data:stock", stock-1, 0).Err(); err != nil {
					return err
				}
				if err := c.RPush(ctx, "data:sales", buyer).Err(); err != nil {
					return err
				}
				mu.Lock()
				bought++
				mu.Unlock()
				return nil
			}
			var err error
			if job.Broken {
				err = handMade(ctx, c, job.Key, buy)
			} else {
				err = l.Do(ctx, job.Key, job.TTL, buy)
			}
			if err != nil {
				mu.Lock()
				first = errors.Join(first, err)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if first != nil {
		return first
	}
	return out.Encode(bought)
}

// handMade is what locklint reports: a ttl that work can outlast, and a release without a look.
func handMade(ctx context.Context, c *redis.Client, key string, fn func(context.Context) error) error {
	for {
		ok, err := c.SetNX(ctx, key, rand.Text(), 4*time.Millisecond).Result()
		if err != nil {
			return err
		}
		if ok {
			break
		}
		time.Sleep(time.Millisecond) // as locks made by hand wait
	}
	defer c.Del(ctx, key)
	return fn(ctx)
}
