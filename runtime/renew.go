package lockrt

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Renew makes the lease last for ttl from now; it never shortens it. With [AutoRenew] later
// renewals use this ttl. A request that fails is sent again until ctx or the lease
// ends; when ctx does, the error matches its error and its cause. An error that matches
// [ErrLost] is final; any other leaves the earlier deadline in force.
func (k *Lock) Renew(ctx context.Context, ttl time.Duration) error {
	if k == nil {
		return ErrReleased
	}
	if err := checkTTL(ttl); err != nil {
		return err
	}
	stopped := errNotAsked // or what the last request met
	pause := faultPauses()
	defer pause.stop()
	for {
		if err := k.Err(); err != nil {
			return err
		}
		if ctx.Err() != nil {
			return ended(ctx, k.name(), stopped)
		}
		err := k.tryRenew(ctx, ttl)
		switch {
		case err == nil, errors.Is(err, ErrLost), errors.Is(err, ErrReleased):
			return err
		case errors.Is(err, errLeft):
			stopped = errNoAnswer
			continue // Err or ctx says why
		case classify(err) == final:
			return fmt.Errorf("lockrt: renew %q: %w", k.name(), err)
		}
		stopped = fmt.Errorf("lockrt: renew: %w", err)
		pause.sleep(ctx)
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
	k.renewal.Reset(k.renewIn(ttl / 4))
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
		k.renewal.Reset(k.renewIn(ttl / 3))
	} else {
		k.renewal.Reset(k.renewIn(ttl / 20))
	}
}

// renewIn is d, or less where slow answers have used up the lease. The floor keeps the
// requests to a server that is out of reach apart. The caller holds k.mu.
func (k *Lock) renewIn(d time.Duration) time.Duration {
	left := k.deadline - k.locker.now()
	return spread(min(d, max(left/2, k.ttl/20)))
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
