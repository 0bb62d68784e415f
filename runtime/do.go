package lockrt

import (
	"context"
	"errors"
	"slices"
	"time"
)

// Do acquires key, runs fn and releases the key, also when fn panics. fn does not run
// unless the lock is held. Its context ends when ctx or the lock does; the lease is renewed until fn
// has returned, also after ctx ended, for fn may be cleaning up.
//
// Do returns errors.Join of fn's error, an error that matches [ErrLost] if the lock
// was lost while fn ran, and the error of the release, each unless one before wraps it. It waits for fn also when the
// lock is lost, so fn must watch its context.
//
// A Do inside fn on the same Locker and key, with a context that comes from fn's, runs
// its fn under the same lease and sends nothing. Nested Do's of one fn exclude one
// another, and the outer Do ends their contexts and waits for them before it releases. To
// clean up after ctx ended, fn may detach its context with context.WithoutCancel: the
// nested fn's context then ends with the lock or the outer Do alone. Pass on the context
// fn was given: a Do inside a nested fn with the context of an outer one waits for itself.
// The ttl and options of a nested Do are not applied; a ttl longer than the outer one, or
// Fencing where the outer has none, is [ErrInvalid]. If the outer lease has ended, the
// error matches ErrLost and fn is not run.
func (l *Locker) Do(ctx context.Context, key string, ttl time.Duration, fn func(ctx context.Context) error, opts ...Option) (err error) {
	k, err := l.newLock(key, ttl, opts)
	if err != nil {
		return err
	}
	if fn == nil {
		return invalid("nil fn")
	}
	if s := k.outer(ctx); s != nil {
		return s.nest(ctx, k, fn)
	}
	k.renews = true
	k.base = ctx
	if err := l.acquire(ctx, k, true); err != nil {
		return err
	}
	s := k.scope()
	defer func() { // a panic passes through
		s.close()
		lost := k.Err()
		released := k.Release(ctx)
		if released == lost {
			lost = nil
		}
		err = join(err, lost, released)
	}()
	return fn(s)
}

// nest runs fn under the lease of s. k has the arguments of the nested Do.
func (s *scope) nest(ctx context.Context, k *Lock, fn func(context.Context) error) (err error) {
	s.lock.mu.Lock()
	outer := s.lock.ttl
	s.lock.mu.Unlock()
	if k.ttl > outer {
		return invalid("ttl %v of a nested Do is longer than the outer %v", k.ttl, outer)
	}
	if k.opt.fencing && s.lock.fence == 0 {
		return invalid("Fencing in a nested Do whose outer lock has none")
	}
	if err := s.ended(); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return ended(ctx, k.name(), errNotAsked)
	}
	gate, told := s.children()
	select {
	case gate <- struct{}{}:
		defer func() { <-gate }()
	case <-told:
	case <-ctx.Done():
	}
	if err := s.ended(); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return ended(ctx, k.name(), ErrHeld)
	}
	child := newScope(ctx, s.lock)
	if !s.begin(child) {
		child.cancel(nil)
		return s.ended()
	}
	defer func() {
		child.close()
		err = join(err, s.lock.lossNow())
	}()
	return fn(child)
}

// lossNow is the lock's *LostError, nil if it was not lost.
func (k *Lock) lossNow() error {
	if err := k.Err(); errors.Is(err, ErrLost) {
		return err
	}
	return nil
}

// join is errors.Join that leaves a single error as it is, and out what an earlier one
// wraps: fn may have returned the cause of its context.
func join(errs ...error) error {
	var told []error
	for _, err := range errs {
		if err != nil && !slices.ContainsFunc(told, func(e error) bool { return errors.Is(e, err) }) {
			told = append(told, err)
		}
	}
	if len(told) == 1 {
		return told[0]
	}
	return errors.Join(told...)
}
