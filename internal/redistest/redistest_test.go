package redistest_test

import (
	"context"
	"errors"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/locklint/locklint/internal/redistest"
	"github.com/redis/go-redis/v9"
)

func TestServer(t *testing.T) {
	t.Parallel()
	for name, start := range map[string]func(testing.TB, ...string) *redistest.Server{
		"unix": redistest.Start, "tcp": redistest.StartTCP,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx := t.Context()
			var s *redistest.Server
			var pid int
			t.Run("run", func(t *testing.T) {
				s = start(t, "--maxmemory-policy", "allkeys-lru")
				c := s.Client(t)
				if got := c.ConfigGet(ctx, "maxmemory-policy").Val()["maxmemory-policy"]; got != "allkeys-lru" {
					t.Errorf("maxmemory-policy %q: the arguments are not passed on", got)
				}
				c.Set(ctx, "k", "v", 0)
				s.Restart(t)
				if err := c.Get(ctx, "k").Err(); !errors.Is(err, redis.Nil) {
					t.Errorf("after Restart: %v, want an empty server", err)
				}
				s.Pause(t)
				o := s.Options()
				o.ReadTimeout, o.MaxRetries = 50*time.Millisecond, -1
				short := redis.NewClient(o)
				if err := short.Ping(ctx).Err(); err == nil {
					t.Error("a paused server answered")
				}
				short.Close()
				s.Resume(t)
				if err := c.Ping(ctx).Err(); err != nil {
					t.Errorf("after Resume: %v", err)
				}
				pid = s.PID()
			})
			if p, err := os.FindProcess(pid); err == nil && !errors.Is(p.Signal(syscall.Signal(0)), os.ErrProcessDone) {
				t.Errorf("server %d outlives its test", pid)
			}
		})
	}
}

func TestReplica(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	m := redistest.StartTCP(t)
	r := redistest.StartReplica(t, m.Addr)
	m.Client(t).Set(ctx, "k", "v", 0)
	c := r.Client(t)
	redistest.WaitFor(t, "k on the replica", func(ctx context.Context) bool { return c.Get(ctx, "k").Val() == "v" })
	m.Kill()
	r.Promote(t)
	if err := c.Set(ctx, "k", "w", 0).Err(); err != nil {
		t.Errorf("write to the promoted replica: %v", err)
	}
}

func TestCluster(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	cl := redistest.StartCluster(t)
	c := cl.Client(t)
	for _, k := range []string{"a", "b", "c", "d"} {
		if err := c.Set(ctx, k, k, 0).Err(); err != nil {
			t.Fatal(err)
		}
	}
	before := cl.Owner(t, "a")
	m := cl.Migrate(t, "a")
	m.MoveKeys(t)
	if got, err := c.Get(ctx, "a").Result(); got != "a" {
		t.Errorf("half moved: %q, %v", got, err)
	}
	m.Finish(t)
	if got, err := c.Get(ctx, "a").Result(); got != "a" {
		t.Errorf("moved: %q, %v", got, err)
	}
	if after := cl.Owner(t, "a"); after == before {
		t.Errorf("slot still on node %d", before)
	}
}

func TestFunctional(t *testing.T) {
	t.Setenv("LOCKLINT_REQUIRE_REDIS", "")
	for _, server := range []string{"", "/nonexistent/redis-server"} {
		t.Setenv("REDIS_SERVER", server)
		c := redis.NewClient(redistest.Functional(t))
		defer c.Close()
		if err := c.Set(t.Context(), "k", "v", time.Minute).Err(); err != nil {
			t.Errorf("REDIS_SERVER=%q: %v", server, err)
		}
	}
}

// TestMissing runs Path with a recorder in place of t.
func TestMissing(t *testing.T) {
	t.Setenv("REDIS_SERVER", "/nonexistent/redis-server")
	for require, want := range map[string]string{"": "skip", "1": "fatal"} {
		t.Setenv("LOCKLINT_REQUIRE_REDIS", require)
		r := &recorder{TB: t}
		redistest.Path(r)
		if r.got != want {
			t.Errorf("LOCKLINT_REQUIRE_REDIS=%q: %q, want %q", require, r.got, want)
		}
	}
}

type recorder struct {
	testing.TB
	got string
}

func (r *recorder) Skipf(string, ...any) {
	if r.got == "" {
		r.got = "skip"
	}
}

func (r *recorder) Fatalf(string, ...any) {
	if r.got == "" {
		r.got = "fatal"
	}
}
