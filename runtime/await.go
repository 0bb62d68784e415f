package lockrt

import (
	"errors"
	"sync/atomic"
	"time"
)

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
