package lockrt

import (
	"context"
	"fmt"
)

// A scope is the context under which work holds a lock: of the fn of a Do, of a nested
// Do, or of a bare handle. It ends when the context it was made from ends, or when the lock does.
//
// Scopes of one lock form a tree. A nested Do takes the gate of its parent and makes a
// child, so the children of a scope run one at a time, however deep they nest.
type scope struct {
	context.Context
	lock   *Lock
	cancel context.CancelCauseFunc
	// gate is full while a child runs, and for good once the scope is closed. The first
	// child makes it. Guarded by lock.mu.
	gate chan struct{}
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

// children is the gate of s.
func (s *scope) children() chan struct{} {
	s.lock.mu.Lock()
	defer s.lock.mu.Unlock()
	if s.gate == nil {
		s.gate = make(chan struct{}, 1)
	}
	return s.gate
}

// close ends the scope's context and waits for the child that runs. No other starts.
func (s *scope) close() {
	s.cancel(ErrReleased)
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
	switch err := s.lock.Err(); {
	case err == ErrReleased, err == nil && context.Cause(s) == ErrReleased:
		return fmt.Errorf("%w: key %q: the outer lock was released before", ErrLost, s.lock.name())
	default:
		return err
	}
}
