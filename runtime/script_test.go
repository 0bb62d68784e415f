package lockrt

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/locklint/locklint/internal/redistest"
	"github.com/redis/go-redis/v9"
)

// The tests with a clock of their own rest on fakeRedis. It answers as the scripts do, and
// leaves the same keys, whatever the order in which requests arrive.
func TestFakeIsLikeRedis(t *testing.T) {
	c := redis.NewClient(redistest.Functional(t))
	defer c.Close()
	l, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	f := newFake(t)
	seed := rand.Uint64()
	rnd := rand.New(rand.NewPCG(seed, 0))
	pick := func(of ...any) any { return of[rnd.IntN(len(of))] }
	ctx := t.Context()
	for range 400 {
		key, token, ms := pick("a", "b").(string), pick("t", "t2"), int64(rnd.IntN(60)+1)*time.Hour.Milliseconds()
		args := []any{"set", key, token, "px", ms, "nx"}
		s, _ := pick(nil, reclaimScript, fenceScript, renewScript, releaseScript).(*script)
		switch s {
		case nil:
		case fenceScript:
			args = []any{nil, nil, 2, key, "{" + key + "}:fence", token, ms, ms}
		case releaseScript:
			args = []any{nil, nil, 1, key, token}
		default:
			args = []any{nil, nil, 1, key, token, ms}
		}
		var got int64
		if s == nil {
			got, err = l.setNX(ctx, key, token, time.Duration(ms)*time.Millisecond)
		} else {
			got, err = l.eval(ctx, s, args...)
		}
		if err != nil {
			t.Fatalf("%v: %v", args, err)
		}
		want, err := f.apply(args)
		if err != nil {
			t.Fatal(err)
		}
		if s == fenceScript { // the numbers are its own
			got, want = min(1, got), min(1, want)
		}
		if got != want {
			t.Errorf("seed %d: %v: Redis answers %d, the fake %d", seed, args, got, want)
		}
		if v := c.Get(ctx, key).Val(); v != f.value(key) {
			t.Errorf("seed %d: after %v: Redis has %q, the fake %q", seed, args, v, f.value(key))
		} else if v == "" {
			continue
		}
		if d := c.PTTL(ctx, key).Val() - time.Until(f.until(key)); d.Abs() > 30*time.Minute {
			t.Errorf("seed %d: after %v: the ttl on Redis is longer by %v", seed, args, d)
		}
	}
}
