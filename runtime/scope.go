package lockrt

import (
	"context"
	"fmt"
)

// A scope is the context under which work holds a lock: of the fn of a Do, of a nested
// Do, or of a bare handle. It ends when the context it was made from ends, or when the lock does.
//
// Scopes of one lock form a chain. A nested Do takes the gate of its parent and makes a
// child, so the children of a scope run one at a time, however deep they nest.
type scope struct {
	context.Context
	lock   *Lock
	cancel context.CancelCauseFunc

	// Guarded by lock.mu. The first child makes the channels.
	child *scope        // the one that runs
	gate  chan struct{} // full while a child runs, and for good once the scope is closed
	over  bool          // the lock has ended or the scope is closed: no child starts
	told  chan struct{} // closed when over, for those who wait at the gate
}

func newScope(base context.Context, k *Lock) *scope {
	ctx, cancel := context.WithCancelCause(base)
	return &scope{Context: ctx, lock: k, cancel: cancel}
}

// innermost is the key of a context value: the last scope on the way to ctx.
type innermost struct{}

// Done, Err and Value compare the clock first: just after a pause of the process, the timer
// that ends the context has not fired yet.

func (s *scope) Done() <-chan struct{} {
	s.lock.check()
	return s.Context.Done()
}

func (s *scope) Err() error {
	s.lock.check()
	return s.Context.Err()
}

// Value answers two questions of this package, by the type of key: innermost, and a
// *Lock that asks for a scope of its own Locker and key. The rest goes on; context.Cause
// is among it.
func (s *scope) Value(key any) any {
	switch q := key.(type) {
	case innermost:
		return s
	case *Lock:
		if q != nil && q.locker == s.lock.locker && q.key == s.lock.key {
			return s
		}
	}
	s.lock.check()
	return s.Context.Value(key)
}

// outer is the innermost scope of k's Locker and key that ctx comes from.
func (k *Lock) outer(ctx context.Context) *scope {
	s, _ := ctx.Value(k).(*scope)
	return s
}

// children is what a nested Do waits for: its turn, or that there will be none.
func (s *scope) children() (gate chan struct{}, told <-chan struct{}) {
	s.lock.mu.Lock()
	defer s.lock.mu.Unlock()
	if s.gate == nil {
		s.gate, s.told = make(chan struct{}, 1), make(chan struct{})
		if s.over {
			close(s.told)
		}
	}
	return s.gate, s.told
}

// begin makes child the one that runs, unless s is over. The caller has the gate.
func (s *scope) begin(child *scope) bool {
	s.lock.mu.Lock()
	defer s.lock.mu.Unlock()
	if s.over {
		return false
	}
	s.child = child
	return true
}

// end ends s and the scopes below it. Each is told by itself: a child's context may be
// detached from that of its parent.
func (s *scope) end(cause error) {
	for s != nil {
		s.cancel(cause)
		s = s.bar()
	}
}

// bar lets no child of s start any more, and returns the one that runs.
func (s *scope) bar() *scope {
	s.lock.mu.Lock()
	defer s.lock.mu.Unlock()
	if !s.over {
		s.over = true
		if s.told != nil {
			close(s.told)
		}
	}
	return s.child
}

// close ends s and waits for the child that runs.
func (s *scope) close() {
	s.end(ErrReleased)
	s.lock.mu.Lock()
	gate := s.gate
	s.lock.mu.Unlock()
	if gate != nil {
		gate <- struct{}{}
	}
}

// ended is why no fn may start under s any more; nil while it may. The end of the
// caller's own context is not among the reasons.
func (s *scope) ended() error {
	s.lock.mu.Lock()
	over := s.over
	s.lock.mu.Unlock()
	err := s.lock.Err() // asked last: a loss is recorded before its scopes are over
	if err == ErrReleased || err == nil && over {
		return fmt.Errorf("%w: key %q: the outer lock was released before", ErrLost, s.lock.name())
	}
	return err
}
