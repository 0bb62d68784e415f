package lockrt

import (
	"context"
	"fmt"
	"time"
)

// Release ends the lock's context and deletes the key if it is still this lock's. It
// ignores ctx's cancellation, keeps its values, and takes at most [ReleaseTimeout]. With a
// ctx that cannot end, and without that option, the client's own timeouts bound it, as
// they do Acquire; this saves the goroutine that lets Release leave. It does not wait for work
// under the lock's context, as [Locker.Do] does.
//
// nil: released. [ErrLost]: the lease had ended before. [ErrUnconfirmed]: unknown, call
// again or wait for Deadline. [ErrReleased]: an earlier call succeeded, or the Lock is nil.
func (k *Lock) Release(ctx context.Context) error {
	if k == nil {
		return ErrReleased
	}
	k.releaseMu.Lock()
	defer k.releaseMu.Unlock()
	called := k.locker.now()
	endless := ctx.Done() == nil // ctx may be the lock's own, so not with k.mu held

	k.check()
	k.mu.Lock()
	if k.settled {
		defer k.mu.Unlock()
		if k.released {
			return ErrReleased
		}
		return k.lost
	}
	if k.phase == holding {
		k.phase = releasing
	}
	if k.renewal != nil {
		k.renewal.Stop()
	}
	if k.guard != nil {
		k.guard.Stop()
	}
	root, deadline, timeout := k.root, k.deadline, k.opt.releaseTimeout
	stay := timeout == 0 && endless
	if timeout == 0 {
		timeout = min(k.ttl, 5*time.Second)
	}
	k.mu.Unlock()
	if root != nil {
		root.end(ErrReleased)
	}

	// A renewal under way needs no waiting for: it compares before it extends, so it
	// cannot bring the key back.
	n, sent, err := k.delete(detach(ctx), deadline, timeout, stay)
	k.locker.leave(k)
	return k.conclude(n, called, sent, err)
}

// delete sends compare-and-delete until it has an answer or timeout is over. With stay
// it waits for each answer, and sends twice at least, for the first wait may use up the time.
// sent is when the answered request was sent.
func (k *Lock) delete(ctx context.Context, deadline, timeout time.Duration, stay bool) (n int64, sent time.Duration, err error) {
	l := k.locker
	end := l.now() + min(timeout, 1<<62)
	pause := faultPauses()
	defer pause.stop()
	for try := 1; ; try++ {
		sent = l.now()
		if stay {
			n, err = k.askDelete(ctx)
		} else { // a third of the time each, so that one hanging connection does not use it up
			n, err = l.await(nil, max(1, min(end-sent, timeout/3)), func() (int64, error) { return k.askDelete(ctx) }, nil)
		}
		if err == nil {
			return n, sent, nil
		}
		f := classify(err)
		if f == unknown && sent < deadline {
			k.unsure = true
		}
		if f == final || l.now()+pause.limit >= end && !(stay && try == 1) {
			return 0, sent, err
		}
		pause.sleep(ctx)
	}
}

// askDelete sends one compare-and-delete.
func (k *Lock) askDelete(ctx context.Context) (int64, error) {
	return k.locker.eval(ctx, releaseScript, nil, nil, 1, k.key, k.token)
}

// conclude turns the answer to a delete into the result of Release.
func (k *Lock) conclude(n int64, called, sent time.Duration, err error) error {
	k.mu.Lock()
	now := k.locker.now()
	held := now - k.since
	if k.phase == finished { // lost before: the delete was only to clean up
		defer k.mu.Unlock()
		k.settled = err == nil
		return k.lost
	}
	if err != nil {
		k.mu.Unlock()
		err = fmt.Errorf("%w: release %q: %w", ErrUnconfirmed, k.name(), err)
		k.emit(Event{Kind: EventReleaseFailed, Held: held, Took: now - called, Err: err})
		return err
	}
	k.phase, k.settled = finished, true
	// The key may be gone because an earlier delete of ours was applied and its answer
	// lost, or because its ttl ended after Release had begun. Either way it was held until then.
	if n == answerDone || k.unsure || sent >= k.deadline {
		k.released = true
		k.mu.Unlock()
		k.emit(Event{Kind: EventReleased, Held: held, Took: now - called})
		return nil
	}
	first := k.lost == nil // else MaxHold had ended it, and that was told
	if first {
		k.lost = &LostError{Key: k.name(), Reason: Missing, Err: k.failure}
		if n == answerTaken {
			k.lost.Reason = Taken
		}
	}
	lost := k.lost
	k.mu.Unlock()
	if first {
		k.emit(Event{Kind: EventLost, Held: held, Err: lost})
	}
	return lost
}
