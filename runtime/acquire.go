package lockrt

import (
	"context"
	"time"
)

// Acquire waits until it holds key or ctx is done, and keeps it for ttl, at least
// [MinTTL]. When ctx ends while another holds the key, the error matches both [ErrHeld]
// and the context's cause. A server that cannot be reached or cannot serve is asked
// again for ttl, at most 10 s. When answers take longer than the ttl itself, the error matches
// [ErrLost]. Other errors are Redis's own.
//
// After an error no lock is held. If Redis may have applied the request, Acquire takes
// it back in the background, and the key ends with ttl at the latest. With a ctx that can
// end, Acquire returns as soon as it does; the request's goroutine goes on until the
// client's own timeouts, which the client option ContextTimeoutEnabled shortens. With a ctx
// that cannot end, one request takes as long as those timeouts allow.
//
// With a context that comes from a lock of the same Locker and key, by Do or
// [Lock.Context], the error is ErrHeld at once: Acquire would wait for itself.
func (l *Locker) Acquire(ctx context.Context, key string, ttl time.Duration, opts ...Option) (*Lock, error) {
	return l.handle(ctx, key, ttl, true, opts)
}

// TryAcquire is Acquire that does not wait for another holder: [ErrHeld] at once, also
// while an Acquire of the same Locker waits for the key.
func (l *Locker) TryAcquire(ctx context.Context, key string, ttl time.Duration, opts ...Option) (*Lock, error) {
	return l.handle(ctx, key, ttl, false, opts)
}

func (l *Locker) handle(ctx context.Context, key string, ttl time.Duration, wait bool, opts []Option) (*Lock, error) {
	k, err := l.newLock(key, ttl, opts)
	if err != nil {
		return nil, err
	}
	k.renews = k.opt.autoRenew
	if k.renews && k.opt.maxHold == 0 {
		return nil, invalid("AutoRenew without Do needs MaxHold: a handle that is never released would hold %q for ever", key)
	}
	if s := k.outer(ctx); s != nil && s.ended() == nil {
		return nil, ErrHeld
	}
	k.base = detach(ctx)
	if err := l.acquire(ctx, k, wait); err != nil {
		return nil, err
	}
	return k, nil
}

// detach keeps the values of ctx and drops its end.
func detach(ctx context.Context) context.Context {
	if ctx.Done() == nil {
		return ctx
	}
	return context.WithoutCancel(ctx)
}

// acquire makes k a held lock.
func (l *Locker) acquire(ctx context.Context, k *Lock, wait bool) error {
	if ctx.Err() != nil {
		return ended(ctx, k.name(), errNotAsked)
	}
	called := l.now()
	waited, err := l.enter(ctx, k, wait)
	if err != nil {
		return err
	}
	c := contest{k: k, wait: wait, told: waited}
	if waited {
		c.reason = ErrHeld
	}
	if err := c.run(ctx); err != nil {
		l.leave(k)
		return err
	}
	k.emit(Event{Kind: EventAcquired, Took: l.now() - called})
	return nil
}
