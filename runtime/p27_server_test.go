package lockrt_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/locklint/locklint/internal/redistest"
	lockrt "github.com/locklint/locklint/runtime"
	"github.com/redis/go-redis/v9"
)

// dialer connects to the address that addr holds at the time.
func dialer(addr *atomic.Value) func(context.Context, string, string) (net.Conn, error) {
	return func(ctx context.Context, network, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, network, addr.Load().(string))
	}
}

// fill writes data until the server evicts or refuses.
func fill(t *testing.T, c *redis.Client, until func() bool) error {
	t.Helper()
	junk := strings.Repeat("x", 8<<10)
	for i := range 5000 {
		if err := c.Set(t.Context(), fmt.Sprint("data", i), junk, time.Hour).Err(); err != nil {
			return err
		}
		if until() {
			return nil
		}
	}
	return errors.New("the server takes everything")
}

// P27: eviction. An evicted lock is reported as lost; with noeviction the key stays and
// Acquire's error is OOM, not "held".
func TestP27Eviction(t *testing.T) {
	redistest.Path(t)
	noLeak(t)
	for _, policy := range []string{"allkeys-lru", "volatile-ttl"} {
		t.Run(policy, func(t *testing.T) {
			s := redistest.Start(t, "--maxmemory", "4mb", "--maxmemory-policy", policy, "--maxmemory-samples", "64")
			c := s.Client(t)
			l := locker(t, c)
			k := acquire(t, l, "k", time.Minute)
			err := fill(t, c, func() bool { return c.Exists(t.Context(), "k").Val() == 0 })
			// Looking at the key made it the most recently used; lru needs its rest.
			if err != nil {
				t.Fatal(err)
			}
			lostBy(t, "Renew", k.Renew(t.Context(), time.Minute), lockrt.Missing)
		})
	}
	t.Run("noeviction", func(t *testing.T) {
		s := redistest.Start(t, "--maxmemory", "4mb", "--maxmemory-policy", "noeviction")
		c := s.Client(t)
		l := locker(t, c)
		k := acquire(t, l, "k", time.Minute)
		err := fill(t, c, func() bool { return false })
		if err == nil || !strings.HasPrefix(err.Error(), "OOM") {
			t.Fatal(err)
		}
		c.ConfigSet(t.Context(), "maxmemory", "2mb") // not even a small key fits
		_, err = l.Acquire(t.Context(), "other", time.Minute)
		if err == nil || errors.Is(err, lockrt.ErrHeld) || !strings.Contains(err.Error(), "OOM") {
			t.Errorf("Acquire without memory: %v", err)
		}
		if err := k.Renew(t.Context(), time.Minute); err != nil {
			t.Errorf("Renew: %v", err)
		}
		if err := k.Release(t.Context()); err != nil {
			t.Errorf("Release: %v", err)
		}
	})
}

// P28: a lock in Redis Cluster survives the move of its slot, and the fence counter is in
// the slot of its key for every form of key.
func TestP28Cluster(t *testing.T) {
	noLeak(t)
	cl := redistest.StartCluster(t)
	for _, s := range cl.Nodes {
		noImmortal(t, s)
	}
	c := cl.Client(t)
	for _, key := range []string{"a", "job:1", "{job}a", "a{job}b", "a{b", "{}", "{a}b}c", "{{x}}", "ключ"} {
		if err := func() error {
			l := locker(t, c, lockrt.Fencing())
			k, err := l.Acquire(t.Context(), key, time.Minute)
			if strings.HasPrefix(key, "{}") {
				is(t, key, err, lockrt.ErrInvalid)
				return nil
			}
			if err != nil {
				return err
			}
			if k.Fence() == 0 {
				return errors.New("no fence")
			}
			return errors.Join(k.Renew(t.Context(), time.Minute), k.Release(t.Context()))
		}(); err != nil {
			t.Errorf("key %q: %v", key, err)
		}
	}
	plain := locker(t, c)
	if k := acquire(t, plain, "{}", time.Minute); k.Release(t.Context()) != nil {
		t.Error("without Fencing any key will do")
	}

	for _, opts := range [][]lockrt.Option{nil, {lockrt.Fencing()}} {
		l := locker(t, c, opts...)
		before := acquire(t, l, "a", time.Minute) // acquired before the move
		m := cl.Migrate(t, "a")
		if err := before.Renew(t.Context(), time.Minute); err != nil {
			t.Errorf("migrating: %v", err)
		}
		m.MoveKeys(t)
		if err := before.Renew(t.Context(), time.Minute); err != nil { // ASK
			t.Errorf("half moved: %v", err)
		}
		if err := before.Release(t.Context()); err != nil {
			t.Errorf("release, half moved: %v", err)
		}
		// With Fencing there are two absent keys in a slot on the move: TRYAGAIN until it has moved.
		acquired := make(chan *lockrt.Lock, 1)
		go func() {
			k, err := l.Acquire(t.Context(), "a", time.Minute)
			if err != nil {
				t.Error(err)
			}
			acquired <- k
		}()
		var during *lockrt.Lock
		if opts == nil {
			during = <-acquired
		}
		m.Finish(t)
		if opts != nil {
			during = <-acquired
		}
		if err := during.Renew(t.Context(), time.Minute); err != nil { // MOVED
			t.Errorf("moved: %v", err)
		}
		if err := during.Release(t.Context()); err != nil {
			t.Errorf("release, moved: %v", err)
		}
	}
}

// P29: replies of a server that cannot serve. Those that pass are waited for; those
// that do not are errors, and never "held".
func TestP29ServerReplies(t *testing.T) {
	s := start(t)
	c := s.Client(t)
	l := locker(t, c)

	t.Run("READONLY", func(t *testing.T) {
		if err := c.Do(t.Context(), "replicaof", "127.0.0.1", "1").Err(); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		_, err := l.Acquire(ctx, "k", time.Minute)
		is(t, "Acquire", err, context.DeadlineExceeded)
		if errors.Is(err, lockrt.ErrHeld) || !strings.Contains(err.Error(), "READONLY") {
			t.Errorf("Acquire: %v", err)
		}
		promote := time.AfterFunc(100*time.Millisecond, func() { c.Do(context.Background(), "replicaof", "no", "one") })
		defer promote.Stop()
		if err := acquire(t, l, "k", time.Minute).Release(t.Context()); err != nil {
			t.Error(err)
		}
	})
	t.Run("NOPERM", func(t *testing.T) {
		if err := c.Do(t.Context(), "acl", "setuser", "app", "on", ">pw", "~app:*", "+@all").Err(); err != nil {
			t.Fatal(err)
		}
		app := locker(t, client(t, s, func(o *redis.Options) { o.Username, o.Password = "app", "pw" }))
		before := time.Now()
		_, err := app.Acquire(t.Context(), "k", time.Minute)
		if err == nil || errors.Is(err, lockrt.ErrHeld) || !strings.Contains(err.Error(), "NOPERM") {
			t.Errorf("Acquire: %v", err)
		}
		k := acquire(t, app, "app:k", time.Minute)
		c.Do(t.Context(), "acl", "setuser", "app", "resetkeys")
		if err := k.Renew(t.Context(), time.Minute); err == nil || errors.Is(err, lockrt.ErrLost) {
			t.Errorf("Renew: %v", err)
		}
		if k.Err() != nil {
			t.Error("a refused renewal ended the lock")
		}
		is(t, "Release", k.Release(t.Context()), lockrt.ErrUnconfirmed)
		if took := time.Since(before); took > 5*time.Second {
			t.Errorf("took %v: final errors were tried again", took)
		}
		c.Do(t.Context(), "acl", "setuser", "app", "allkeys")
		if err := k.Release(t.Context()); err != nil {
			t.Errorf("Release when allowed again: %v", err)
		}
	})
	t.Run("WRONGTYPE", func(t *testing.T) {
		c.LPush(t.Context(), "data", 1)
		for name, get := range map[string]func(context.Context, string, time.Duration, ...lockrt.Option) (*lockrt.Lock, error){
			"Acquire": l.Acquire, "TryAcquire": l.TryAcquire,
		} {
			_, err := get(t.Context(), "data", time.Minute)
			if err == nil || errors.Is(err, lockrt.ErrHeld) || !strings.Contains(err.Error(), "WRONGTYPE") {
				t.Errorf("%s: %v", name, err)
			}
		}
		if n := c.LLen(t.Context(), "data").Val(); n != 1 {
			t.Error("the list was touched")
		}
	})
	t.Run("MISCONF", func(t *testing.T) {
		bad := redistest.StartTCP(t)
		bc := bad.Client(t)
		// A save to a directory that is gone fails; from then on the server refuses writes.
		bc.ConfigSet(t.Context(), "save", "1 1")
		if err := os.RemoveAll(bad.Dir); err != nil {
			t.Fatal(err)
		}
		bc.Set(t.Context(), "data", 1, 0)
		bc.BgSave(t.Context())
		redistest.WaitFor(t, "a failed save", func(ctx context.Context) bool {
			return strings.Contains(bc.Info(ctx, "persistence").Val(), "rdb_last_bgsave_status:err")
		})
		_, err := locker(t, bc).Acquire(t.Context(), "k", time.Minute)
		if err == nil || errors.Is(err, lockrt.ErrHeld) || !strings.Contains(err.Error(), "MISCONF") {
			t.Errorf("Acquire: %v", err)
		}
	})
	t.Run("CLUSTERDOWN", func(t *testing.T) {
		down := redistest.StartClusterNode(t, "--cluster-require-full-coverage", "yes")
		dl := locker(t, down.Client(t)) // a plain client, so the reply comes through
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		_, err := dl.Acquire(ctx, "k", time.Minute)
		is(t, "Acquire", err, context.DeadlineExceeded)
		if errors.Is(err, lockrt.ErrHeld) || !strings.Contains(err.Error(), "CLUSTERDOWN") {
			t.Errorf("Acquire: %v", err)
		}
		dc := down.Client(t)
		if err := dc.Do(t.Context(), "cluster", "addslotsrange", 0, 16383).Err(); err != nil {
			t.Fatal(err)
		}
		if err := acquire(t, dl, "k", time.Minute).Release(t.Context()); err != nil {
			t.Error(err)
		}
	})
	// LOADING needs a server that reads a large file; TestTransientReplies has it from a fake client.
}

// The commands that doc.go names are enough.
func TestFewPermissions(t *testing.T) {
	s := start(t)
	admin := s.Client(t)
	if err := admin.Do(t.Context(), "acl", "setuser", "app", "on", ">pw", "~*", "-@all", "+set", "+get", "+del",
		"+pexpire", "+pttl", "+eval", "+evalsha", "+time").Err(); err != nil {
		t.Fatal(err)
	}
	c := client(t, s, func(o *redis.Options) {
		o.Username, o.Password, o.DisableIdentity = "app", "pw", true
	})
	for _, opts := range [][]lockrt.Option{nil, {lockrt.Fencing()}} {
		k := acquire(t, locker(t, c), "k", time.Minute, opts...)
		if err := errors.Join(k.Renew(t.Context(), time.Minute), k.Release(t.Context())); err != nil {
			t.Error(err)
		}
	}
}
