package lockrt_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/locklint/locklint/internal/redistest"
	lockrt "github.com/locklint/locklint/runtime"
	"github.com/redis/go-redis/v9"
)

// The test binary is its own second process: see child_test.go.
func TestMain(m *testing.M) {
	if name := os.Getenv(childEnv); name != "" {
		os.Exit(runChild(name))
	}
	os.Exit(m.Run())
}

// thorough is set for the long runs: LOCKRT_THOROUGH=1.
var thorough = os.Getenv("LOCKRT_THOROUGH") != ""

// noLeak fails the test if, after it and its clean-up, a goroutine is in this package.
// The tests that use it do not run in parallel, so it is their own.
func noLeak(t *testing.T) {
	t.Helper()
	t.Cleanup(func() {
		const pkg = "github.com/locklint/locklint/runtime." // not runtime_test
		var stacks string
		// A goroutine's end sends no event that a stranger could wait for.
		for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
			buf := make([]byte, 1<<20)
			stacks = ""
			for _, s := range strings.Split(string(buf[:runtime.Stack(buf, true)]), "\n\n") {
				if strings.Contains(s, pkg) {
					stacks += s + "\n\n"
				}
			}
			if stacks == "" {
				return
			}
		}
		t.Errorf("goroutines left:\n%s", stacks)
	})
}

// noImmortal fails the test if it leaves a key without a ttl, other than test data.
func noImmortal(t *testing.T, s *redistest.Server) {
	t.Helper()
	t.Cleanup(func() {
		c := redis.NewClient(s.Options())
		defer c.Close()
		ctx := context.Background()
		if c.Ping(ctx).Err() != nil {
			return // the test has killed it
		}
		for it := c.Scan(ctx, 0, "*", 1000).Iterator(); it.Next(ctx); {
			if k := it.Val(); !strings.HasPrefix(k, "data") && c.PTTL(ctx, k).Val() == -1 {
				t.Errorf("key %q is left without a ttl", k)
			}
		}
	})
}

// start is a server of the test's own, with the two checks at its end.
func start(t *testing.T, args ...string) *redistest.Server {
	t.Helper()
	noLeak(t)
	s := redistest.Start(t, args...)
	noImmortal(t, s)
	return s
}

// client is a client of s with changed options.
func client(t *testing.T, s *redistest.Server, change func(*redis.Options)) *redis.Client {
	t.Helper()
	o := s.Options()
	change(o)
	c := redis.NewClient(o)
	t.Cleanup(func() { _ = c.Close() })
	return c
}

func locker(t testing.TB, c lockrt.Client, opts ...lockrt.Option) *lockrt.Locker {
	t.Helper()
	l, err := lockrt.New(c, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func acquire(t testing.TB, l *lockrt.Locker, key string, ttl time.Duration, opts ...lockrt.Option) *lockrt.Lock {
	t.Helper()
	k, err := l.Acquire(t.Context(), key, ttl, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// is fails the test unless err matches each target.
func is(t testing.TB, what string, err error, targets ...error) {
	t.Helper()
	for _, target := range targets {
		if !errors.Is(err, target) {
			t.Errorf("%s: %v, want one that matches %q", what, err, target)
		}
	}
}

// lostBy fails the test unless err is the loss of a lock for this reason.
func lostBy(t testing.TB, what string, err error, want lockrt.Reason) {
	t.Helper()
	var lost *lockrt.LostError
	if !errors.As(err, &lost) || !errors.Is(err, lockrt.ErrLost) {
		t.Errorf("%s: %v, want a LostError", what, err)
	} else if lost.Reason != want {
		t.Errorf("%s: %v, want reason %q", what, err, want)
	}
}

// value fails the test unless the server has this value for key; "" is none.
func value(t testing.TB, c redis.Cmdable, key, want string) {
	t.Helper()
	got, err := c.Get(context.Background(), key).Result()
	if err != nil && !errors.Is(err, redis.Nil) {
		t.Errorf("get %s: %v", key, err)
	} else if got != want {
		t.Errorf("%s is %q, want %q", key, got, want)
	}
}

// gone waits until the server has no such key.
func gone(t testing.TB, c redis.Cmdable, key string) {
	t.Helper()
	redistest.WaitFor(t, fmt.Sprintf("key %q to be gone", key), func(ctx context.Context) bool {
		return c.Exists(ctx, key).Val() == 0
	})
}

// done waits for a context's end, and returns its cause.
func done(t testing.TB, ctx context.Context) error {
	t.Helper()
	select {
	case <-ctx.Done():
	case <-time.After(30 * time.Second):
		t.Fatal("the context does not end")
	}
	return context.Cause(ctx)
}
