package lockrt

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Renew makes the lease last for ttl from now; it never shortens it. With [AutoRenew] later
// renewals use this ttl. A request that fails is sent again until ctx or the lease
// ends. An error that matches [ErrLost] is final; any other leaves the earlier
// deadline in force.
func (k *Lock) Renew(ctx context.Context, ttl time.Duration) error {
	if k == nil {
		return ErrReleased
	}
	if err := checkTTL(ttl); err != nil {
		return err
	}
	pause := faultPauses()
	defer pause.stop()
	for {
		if err := k.Err(); err != nil {
			return err
		}
		if ctx.Err() != nil {
			return fmt.Errorf("lockrt: renew %q: %w", k.name(), context.Cause(ctx))
		}
		err := k.tryRenew(ctx, ttl)
		if err == nil || errors.Is(err, ErrLost) || errors.Is(err, ErrReleased) {
			return err
		}
		if errors.Is(err, errLeft) {
			continue // Err or ctx says why
		}
		if classify(err) == final || !pause.sleep(ctx) {
			return fmt.Errorf("lockrt: renew %q: %w", k.name(), err)
		}
	}
}

// tryRenew sends one renewal for Renew and leaves it when ctx or the lease ends.
func (k *Lock) tryRenew(ctx context.Context, ttl time.Duration) error {
	k.mu.Lock()
	left := k.deadline - k.locker.now()
	k.mu.Unlock()
	sent := k.locker.now()
	n, err := k.locker.await(ctx.Done(), max(left, 1),
		func() (int64, error) { return k.askRenewal(ctx, ttl) }, nil)
	if err == nil {
		k.mu.Lock()
		k.ttl = ttl
		k.mu.Unlock()
	}
	return k.renewed(sent, ttl, n, err)
}

// askRenewal sends one renewal: compare the token, then extend. It never creates.
func (k *Lock) askRenewal(ctx context.Context, ttl time.Duration) (int64, error) {
	return k.locker.eval(ctx, renewScript, nil, nil, 1, k.key, k.token, millis(ttl))
}

// renewNow is the renewal timer's function. The timer is set again before the answer
// is there: a hanging request must not use up the lease.
func (k *Lock) renewNow() {
	k.check()
	k.mu.Lock()
	if k.phase != holding || k.lost != nil {
		k.mu.Unlock()
		return
	}
	ttl := k.ttl
	k.renewal.Reset(spread(ttl / 4))
	k.mu.Unlock()

	sent := k.locker.now()
	n, err := k.askRenewal(detach(k.base), ttl)
	err = k.renewed(sent, ttl, n, err)

	k.mu.Lock()
	defer k.mu.Unlock()
	if k.phase != holding || k.lost != nil {
		return
	}
	if err == nil {
		k.renewal.Reset(spread(ttl / 3))
	} else {
		k.renewal.Reset(spread(ttl / 20))
	}
}

// renewed takes note of the answer to a renewal that was sent at sent.
func (k *Lock) renewed(sent, ttl time.Duration, n int64, err error) error {
	k.check() // an answer that comes after the end of the lease does not bring it back
	k.mu.Lock()
	if state := k.err(); state != nil {
		k.mu.Unlock()
		return state
	}
	switch {
	case err != nil:
		k.failure = err
		k.mu.Unlock()
		k.emit(Event{Kind: EventRenewFailed, Took: k.locker.now() - sent, Err: err})
		return err
	case n == answerDone:
		k.failure = nil
		k.deadline = max(k.deadline, sent+lease(ttl))
		k.mu.Unlock()
		k.emit(Event{Kind: EventRenewed, Took: k.locker.now() - sent})
		return nil
	case n == answerMissing:
		k.lose(Missing)
	default:
		k.lose(Taken)
	}
	return k.Err()
}
