package proof

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/locklint/locklint/internal/redistest"
)

// held is the TTL of a lock that another holds: shorter than what any form sets, and
// longer than any schedule takes.
const held = 10 * time.Minute

// A rig runs one form, as it was or fixed, against the server.
type rig struct {
	*testing.T
	form
	server *redistest.Server
	rdb    *redis.Client
	dir    string // of the programs
	key    string
	id     string
}

// start runs the form as the owner of a token.
func (r *rig) start(s scene) *process {
	r.Helper()
	s.key, s.id = r.key, r.id
	return start(r.T, r.dir, r.form, r.server, s)
}

func (r *rig) ok(err error) {
	r.Helper()
	if err != nil {
		r.Fatal(err)
	}
}

// get returns the value of the key, and whether it is there.
func (r *rig) get() (string, bool) {
	r.Helper()
	v, err := r.rdb.Get(r.Context(), r.key).Result()
	if errors.Is(err, redis.Nil) {
		return "", false
	}
	r.ok(err)
	return v, true
}

// hold makes the key that of another.
func (r *rig) hold(token string) {
	r.Helper()
	r.ok(r.rdb.Set(r.Context(), r.key, token, held).Err())
}

// lost reports whether the holder of token lost the key, or had its TTL moved.
func (r *rig) lost(token string) bool {
	r.Helper()
	if v, ok := r.get(); !ok || v != token {
		return true
	}
	ttl, err := r.rdb.PTTL(r.Context(), r.key).Result()
	r.ok(err)
	return ttl < 0 || ttl > held
}

// A schedule makes a race happen and reports whether the fault showed.
type schedule struct {
	name string
	run  func(r *rig) (fault bool)
}

// crash: the process dies when its create was answered.
var crash = schedule{"crash", func(r *rig) bool {
	p := r.start(scene{token: "A", stop: 1})
	p.stopped()
	p.kill()
	ttl, err := r.rdb.PTTL(r.Context(), r.key).Result()
	r.ok(err)
	if ttl == -2 {
		r.Fatal("the key was not created")
	}
	return ttl == -1
}}

// late: A's lock runs out while A is held up, B acquires it, A goes on.
var late = schedule{"late owner", func(r *rig) bool {
	a := r.start(scene{token: "A", stop: 1})
	a.stopped()
	if n, err := r.rdb.Del(r.Context(), r.key).Result(); err != nil || n == 0 {
		r.Fatalf("A did not acquire the lock: %v", err)
	}
	b := r.start(scene{token: "B", stop: 1})
	b.stopped()
	token, ok := r.get()
	if !ok {
		r.Fatal("B did not acquire the lock")
	}
	r.ok(r.rdb.PExpire(r.Context(), r.key, held).Err())
	a.resume()
	a.returned()
	fault := r.lost(token)
	b.resume()
	b.returned()
	if _, ok := r.get(); ok && !fault {
		r.Error("B's own release leaves the lock")
	}
	return fault
}}

// loser: the form runs while another holds the lock.
var loser = schedule{"loser", func(r *rig) bool {
	r.hold("other")
	r.start(scene{token: "A"}).returned()
	return r.lost("other")
}}

// raced: the lock passes from A to B after A was told that it is A's.
var raced = schedule{"raced", func(r *rig) bool {
	r.hold("A")
	a := r.start(scene{token: "A", stop: 1})
	a.stopped()
	r.hold("B")
	a.resume()
	a.returned()
	return r.lost("B")
}}

// refused: the lock is free, and stays so.
var refused = schedule{"refused", func(r *rig) bool {
	r.start(scene{token: "A"}).returned()
	if _, ok := r.get(); !ok {
		return true
	}
	ttl, err := r.rdb.PTTL(r.Context(), r.key).Result()
	r.ok(err)
	if ttl <= 0 {
		r.Errorf("the lock has the TTL %v", ttl)
	}
	return false
}}

// A state is one of the states of the server in which the results of a form are
// compared. It returns the results and what is left on the server.
type state struct {
	name string
	run  func(r *rig) string
}

// free: the key is not there.
var free = state{"free", func(r *rig) string {
	return r.start(scene{token: "A"}).returned() + r.left()
}}

// freeResult is free where what the fault leaves is another thing.
var freeResult = state{"free", func(r *rig) string {
	return r.start(scene{token: "A"}).returned()
}}

// busy: another holds the lock. What becomes of it is the matter of loser.
var busy = state{"held", func(r *rig) string {
	r.hold("other")
	return r.start(scene{token: "A"}).returned()
}}

// own: the form is given a lock that it holds.
var own = state{"own", func(r *rig) string {
	r.hold("A")
	return r.start(scene{token: "A"}).returned() + r.left()
}}

// down: there is no server.
var down = state{"down", func(r *rig) string {
	return r.start(scene{token: "A", down: true}).returned()
}}

// gone: the lock runs out after the form's first command, and nobody takes it.
var gone = state{"gone", func(r *rig) string {
	p := r.start(scene{token: "A", stop: 1})
	p.stopped()
	r.ok(r.rdb.Del(r.Context(), r.key).Err())
	p.resume()
	return p.returned() + r.left()
}}

// goneOwn is gone for a form that is given the lock.
var goneOwn = state{"gone", func(r *rig) string {
	r.hold("A")
	return gone.run(r)
}}

// cut: the server is lost after the first command.
var cut = state{"cut", func(r *rig) string {
	return r.start(scene{token: "A", cut: 1}).returned()
}}

// cutOwn is cut for a form that is given the lock.
var cutOwn = state{"cut", func(r *rig) string {
	r.hold("A")
	return cut.run(r)
}}

// renewed: the lock after the form's second command, which renews it.
var renewed = state{"renewed", func(r *rig) string {
	p := r.start(scene{token: "A", stop: 2})
	p.stopped()
	left := r.left()
	p.resume()
	return p.returned() + left
}}

// left lists the keys of this run with their TTL, in steps of ten minutes.
func (r *rig) left() string {
	r.Helper()
	keys, err := r.rdb.Keys(r.Context(), "*:"+r.id).Result()
	r.ok(err)
	slices.Sort(keys)
	var b strings.Builder
	for _, key := range keys {
		ttl, err := r.rdb.PTTL(r.Context(), key).Result()
		r.ok(err)
		fmt.Fprintf(&b, "; %s lives %v", key, ttl.Round(10*time.Minute))
	}
	return b.String()
}

// forget removes what a run left.
func (r *rig) forget() {
	r.Helper()
	keys, err := r.rdb.Keys(context.Background(), "*:"+r.id).Result()
	r.ok(err)
	if len(keys) > 0 {
		r.ok(r.rdb.Del(context.Background(), keys...).Err())
	}
}
