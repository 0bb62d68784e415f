package lockrt

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"
)

// faultWindow bounds the time that requests may fail in a row before an acquisition
// gives up; a shorter ttl bounds it too.
const faultWindow = 10 * time.Second

// readAfter is how long a key was held when its type is looked at.
const readAfter = 250 * time.Millisecond

// lateTries is how many answers in a row may come after their lease was over.
const lateTries = 3

// A contest is the state of one acquisition between its requests.
type contest struct {
	k       *Lock
	wait    bool          // for another holder
	start   time.Duration // when the request that the lease counts from was sent
	unsure  bool          // a request with the token may have been applied
	pending bool          // the last one may; then start stands
	heldAt  time.Duration // when the key was first found to be held; 0 before
	read    bool          // its value was read, so it is a string
	told    bool          // EventContended was emitted
	late    int           // answers in a row that came after their lease was over
	failing time.Duration // when requests began to fail; 0 while they do not
	reason  error         // of the last wait, nil if there was none
}

// run asks Redis until it has the key.
func (c *contest) run(ctx context.Context) error {
	k := c.k
	pause := newPauses(k.opt)
	defer pause.stop()
	k.token = rand.Text()
	for {
		sent := k.locker.now()
		if !c.pending {
			c.start = sent
		}
		script := c.unsure || k.opt.fencing || c.doubts(sent)
		n, err := k.ask(ctx, script)
		if err != nil && ctx.Err() != nil && classify(err) != final {
			// The caller has left, or go-redis saw the end of ctx before the caller did.
			if c.reason == nil {
				c.reason = errNoAnswer
			}
			if err != errLeft {
				go k.takeBack(k.token)
			}
			return ended(ctx, k.name(), c.reason)
		}
		var reason error // to pause before the next request; nil to send it at once
		switch {
		case err != nil:
			reason, err = c.failed(err, sent)
		case n == 0:
			reason, err = c.isHeld(sent, script)
		case k.hold(c.start + lease(k.ttl)):
			return nil
		default:
			err = c.tooLate()
		}
		if err != nil {
			return err
		}
		if reason == nil {
			continue
		}
		c.reason = reason
		if !pause.sleep(ctx) {
			if c.pending {
				go k.takeBack(k.token)
			}
			return ended(ctx, k.name(), reason)
		}
	}
}

// failed takes note of a request that failed. It returns the error as the reason to
// wait, or as final.
func (c *contest) failed(err error, sent time.Duration) (reason, fatal error) {
	f := classify(err)
	if f == unknown {
		c.unsure, c.pending = true, true
	}
	if c.failing == 0 {
		c.failing = sent
	}
	k := c.k
	if f == final || k.locker.now()-c.failing >= min(k.ttl, faultWindow) {
		if c.unsure {
			go k.takeBack(k.token)
		}
		return nil, fmt.Errorf("lockrt: acquire %q: %w", k.name(), err)
	}
	return fmt.Errorf("lockrt: acquire: %w", err), nil
}

// doubts says whether to read the value of a held key. SET NX does not care about the
// type of a key; a script that reads it does, and so tells where a lock has the name of other
// data. That is asked once: at once by those who do not wait, else when the wait gets long.
func (c *contest) doubts(now time.Duration) bool {
	return c.heldAt != 0 && !c.read && (!c.wait || now-c.heldAt >= readAfter)
}

// isHeld takes note of another holder.
func (c *contest) isHeld(sent time.Duration, script bool) (reason, fatal error) {
	c.pending, c.failing, c.late = false, 0, 0
	c.read = c.read || script
	if !c.wait && c.read {
		return nil, ErrHeld
	}
	if c.heldAt == 0 {
		c.heldAt = sent
	}
	if !c.wait {
		return nil, nil
	}
	if !c.told {
		c.told = true
		c.k.emit(Event{Kind: EventContended})
	}
	return ErrHeld, nil
}

// tooLate gives back a lease that was over when its answer came, and starts anew.
func (c *contest) tooLate() error {
	k := c.k
	go k.takeBack(k.token)
	if c.late++; c.late == lateTries || !c.wait {
		return &LostError{Key: k.name(), Reason: Expired, Err: fmt.Errorf("the answer took longer than the ttl of %v", k.ttl)}
	}
	k.token = rand.Text()
	c.unsure, c.pending, c.failing = false, false, 0
	return nil
}

// What a call that its context ended had waited for.
var (
	errNotAsked = errors.New("lockrt: not asked for") // ctx had ended before
	errNoAnswer = errors.New("lockrt: no answer from Redis")
)

// ask sends one request for the key: the answer is 0 while another has it. script asks
// with a script that reads the key first.
func (k *Lock) ask(ctx context.Context, script bool) (int64, error) {
	if ctx.Done() == nil {
		return k.askOnce(ctx, script)
	}
	n, err := k.locker.await(ctx.Done(), 0,
		func() (int64, error) { return k.askOnce(ctx, script) },
		func(n int64, err error) { // nobody waits for it any more
			if err == nil && n > 0 || err != nil && classify(err) == unknown {
				k.takeBack(k.token)
			}
		})
	if err == errLeft {
		// Do not leave the key to others' wait until the late answer is there.
		go k.takeBack(k.token)
	}
	return n, err
}

func (k *Lock) askOnce(ctx context.Context, script bool) (int64, error) {
	l := k.locker
	switch {
	case k.opt.fencing:
		counter, err := fenceKey(k.name())
		if err != nil {
			return 0, err
		}
		keep := max(fenceKeep, 2*min(k.ttl, 1<<61))
		n, err := l.eval(ctx, fenceScript, nil, nil, 2, k.key, counter, k.token, millis(k.ttl), millis(keep))
		k.fence = n
		return n, err
	case script:
		return l.eval(ctx, reclaimScript, nil, nil, 1, k.key, k.token, millis(k.ttl))
	default:
		return l.setNX(ctx, k.key, k.token, k.ttl)
	}
}

// takeBack deletes what a request that nobody waits for may have set. It tries twice;
// the ttl does the rest.
func (k *Lock) takeBack(token any) {
	for range 2 {
		_, err := k.locker.eval(detach(k.base), releaseScript, nil, nil, 1, k.key, token)
		if err == nil || classify(err) == final {
			return
		}
	}
}
