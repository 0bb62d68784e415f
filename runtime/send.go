package lockrt

import (
	"context"
	"errors"
	"net"
	"strings"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
)

// onceBool and onceInt are commands that go-redis sends once. By default it sends a
// command again when the answer was lost; the second SET NX then meets the key that
// the first one set, and the own lock looks foreign.
type onceBool struct{ *redis.BoolCmd }

func (onceBool) NoRetry() bool { return true }

type onceInt struct{ *redis.IntCmd }

func (onceInt) NoRetry() bool { return true }

// setNX sends SET key token PX ms NX. The answer is 1 or 0, as from the scripts.
func (l *Locker) setNX(ctx context.Context, key, token any, ttl time.Duration) (int64, error) {
	cmd := onceBool{redis.NewBoolCmd(ctx, "set", key, token, "px", millis(ttl), "nx")}
	if err := l.client.Process(ctx, cmd); err != nil {
		return 0, err
	}
	ok, err := cmd.Result() // on the asynchronous AutoPipeliner this waits
	if ok {
		return 1, err
	}
	return 0, err
}

// eval sends EVALSHA, and EVAL when the server does not know the script. args start
// with two free places, for the command and the script.
func (l *Locker) eval(ctx context.Context, s *script, args ...any) (int64, error) {
	args[0], args[1] = "evalsha", s.sha
	n, err := l.sendInt(ctx, args)
	if err != nil && redis.HasErrorPrefix(err, "NOSCRIPT") {
		again := append([]any(nil), args...)
		again[0], again[1] = "eval", s.src
		return l.sendInt(ctx, again)
	}
	return n, err
}

func (l *Locker) sendInt(ctx context.Context, args []any) (int64, error) {
	cmd := onceInt{redis.NewIntCmd(ctx, args...)}
	if err := l.client.Process(ctx, cmd); err != nil {
		return 0, err
	}
	return cmd.Result()
}

// A fault says what an error means for the request that met it.
type fault int

const (
	unknown fault = iota // the request may have been applied
	refused              // it was not applied; another try may succeed
	final                // it was not applied, and no other try will be
)

// transient are the replies of a server that cannot serve now.
var transient = []string{"LOADING ", "READONLY ", "TRYAGAIN", "CLUSTERDOWN", "MASTERDOWN", "NOREPLICAS",
	"BUSY ", "max number of clients reached"}

func classify(err error) fault {
	if errors.Is(err, redis.ErrClosed) {
		return final
	}
	var reply redis.Error
	if errors.As(err, &reply) {
		for _, p := range transient {
			if strings.HasPrefix(strings.TrimPrefix(reply.Error(), "ERR "), p) {
				return refused
			}
		}
		return final
	}
	var op *net.OpError
	if errors.As(err, &op) && op.Op == "dial" || errors.Is(err, redis.ErrPoolTimeout) || errors.Is(err, redis.ErrPoolExhausted) {
		return refused
	}
	return unknown
}

// errLeft is the error of a request that the caller did not wait for.
var errLeft = errors.New("lockrt: no answer in time")

// A request is one send in a goroutine of its own, so that its caller can leave:
// go-redis does not interrupt a command when its context ends.
type request struct {
	claimed atomic.Bool   // by the answer or by the caller's leaving, whichever is first
	ready   chan struct{} // holds one element once n and err are there
	timer   *time.Timer
	n       int64
	err     error
}

// newRequest makes what a Locker's pool of requests holds. The pool is the Locker's own, not the
// package's: a channel made in one testing/synctest bubble must not turn up in another.
func newRequest() any {
	t := time.NewTimer(time.Hour)
	t.Stop()
	return &request{ready: make(chan struct{}, 1), timer: t}
}

// await runs send and returns its answer. If done is closed or limit (unless 0) is over
// before, it returns errLeft, and late (unless nil) is called with the answer
// once it is there.
func (l *Locker) await(done <-chan struct{}, limit time.Duration, send func() (int64, error), late func(int64, error)) (int64, error) {
	r := l.requests.Get().(*request)
	go func() {
		n, err := send()
		if r.claimed.CompareAndSwap(false, true) {
			r.n, r.err = n, err
			r.ready <- struct{}{}
		} else if late != nil {
			late(n, err)
		}
	}()
	if limit > 0 {
		r.timer.Reset(limit)
	}
	select {
	case <-r.ready:
	case <-done:
		if r.claimed.CompareAndSwap(false, true) {
			r.timer.Stop()
			return 0, errLeft
		}
		<-r.ready // it came at the same moment
	case <-r.timer.C:
		if r.claimed.CompareAndSwap(false, true) {
			return 0, errLeft
		}
		<-r.ready
	}
	r.timer.Stop()
	n, err := r.n, r.err
	r.err = nil
	r.claimed.Store(false)
	l.requests.Put(r)
	return n, err
}
