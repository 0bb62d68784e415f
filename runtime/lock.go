package lockrt

import (
	"context"
	"sync"
	"time"
)

// A phase is a step in the life of a Lock. They follow one another in this order.
type phase uint8

const (
	acquiring phase = iota
	holding         // Redis has the key, as far as this process can know
	releasing       // Release has begun: the context is done, the key may be there
	finished        // released or lost
)

// A Lock is one acquisition of a key. Its methods may be called concurrently, and on
// nil, where they say [ErrReleased].
//
// It is kept small: with the two commands it is all that an uncontended lock allocates.
type Lock struct {
	locker *Locker
	opt    *options
	key    any // key and token are strings, boxed once for the commands
	token  any
	base   context.Context // what the lock's contexts derive from
	place  place           // guarded by locker.mu
	fence  int64

	mu       sync.Mutex
	phase    phase
	settled  bool          // there is nothing left for Release to delete
	released bool          // a Release returned nil
	renews   bool          // AutoRenew, or Do; set before the lock is held
	unsure   bool          // a delete sent while the lease was valid had no answer; guarded by releaseMu
	ttl      time.Duration // asked for by each renewal
	since    time.Duration // when it was acquired; this and the next two in terms of Locker.now
	deadline time.Duration // end of the confirmed lease, minus drift
	maxEnd   time.Duration // when MaxHold ends it; 0 without
	lost     *LostError    // why, once it is lost
	failure  error         // of the last renewal
	root     *scope        // made by the first call of Context
	guard    *time.Timer   // fires at the end of the lease; made when somebody needs to know
	renewal  *time.Timer   // with AutoRenew

	releaseMu sync.Mutex // one Release at a time
}

func (k *Lock) name() string { return k.key.(string) }

// Key is the key of the lock.
func (k *Lock) Key() string {
	if k == nil {
		return ""
	}
	return k.name()
}

// Token is the value of the key while this lock holds it: at least 128 random bits,
// unique to this acquisition.
func (k *Lock) Token() string {
	if k == nil {
		return ""
	}
	return k.token.(string)
}

// Fence is greater than the Fence of every earlier acquisition of the key; 0 without
// [Fencing]. Pass it along with every write, and let the written-to resource refuse a
// number smaller than one it has seen: that stops a holder that was paused beyond its lease.
func (k *Lock) Fence() int64 {
	if k == nil {
		return 0
	}
	return k.fence
}

// Deadline is the end of the lease as last confirmed by Redis, minus an allowance for
// drift. A renewal moves it. It is the zero Time on a nil Lock.
func (k *Lock) Deadline() time.Time {
	if k == nil {
		return time.Time{}
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	// Not epoch.Add: the wall clock may have been set since, and this is printed and sent on.
	return time.Now().Add(k.deadline - k.locker.now())
}

// Err is nil while the lock is held, then a [*LostError] or [ErrReleased]. It asks the
// local clock, not Redis, and so is right also just after a pause of the process.
func (k *Lock) Err() error {
	if k == nil {
		return ErrReleased
	}
	k.check()
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.err()
}

// err is Err by the recorded state. The caller holds k.mu.
func (k *Lock) err() error {
	switch {
	case k.lost != nil:
		return k.lost
	case k.phase != holding:
		return ErrReleased
	}
	return nil
}

// hold makes k a held lock whose lease ends at deadline, unless that is past. Renewal
// is armed before anybody has the handle, so no Release can come in between.
func (k *Lock) hold(deadline time.Duration) bool {
	k.mu.Lock()
	now := k.locker.now()
	if now >= deadline {
		k.mu.Unlock()
		return false
	}
	k.phase = holding
	k.since = now
	k.deadline = deadline
	if k.opt.maxHold > 0 {
		k.maxEnd = now + min(k.opt.maxHold, 1<<62)
	}
	if k.renews {
		k.renewal = time.AfterFunc(k.renewIn(k.ttl/3), k.renewNow)
	}
	if k.opt.event != nil {
		k.watchLocked()
	}
	k.mu.Unlock()
	if k.locker.followed(k) {
		k.watch()
	}
	return true
}

// watch makes sure that the end of the lease is noticed when it comes, not only when
// somebody asks. Until a context, an event or a waiter needs it, a lock has no timer.
func (k *Lock) watch() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.watchLocked()
}

func (k *Lock) watchLocked() {
	if k.phase != holding {
		return
	}
	end := k.deadline
	if k.maxEnd != 0 && k.lost == nil {
		end = min(end, k.maxEnd)
	}
	left := end - k.locker.now()
	if k.guard == nil {
		k.guard = time.AfterFunc(left, k.guardFired)
	} else {
		k.guard.Reset(left)
	}
}

// guardFired ends the lease, or waits on when a renewal has moved the deadline.
func (k *Lock) guardFired() {
	k.check()
	k.watch()
}

// check compares the clock with the lease, and ends it when it is over.
func (k *Lock) check() {
	k.mu.Lock()
	if k.phase != holding {
		k.mu.Unlock()
		return
	}
	switch now := k.locker.now(); {
	case now >= k.deadline:
		k.lose(Expired)
	case k.maxEnd != 0 && now >= k.maxEnd && k.lost == nil:
		k.lose(MaxHoldReached)
	default:
		k.mu.Unlock()
	}
}

// lose records the loss of a held lock and tells everybody. The caller holds k.mu,
// lose unlocks it. Only the first reason counts.
func (k *Lock) lose(why Reason) {
	first := k.lost == nil
	if first {
		k.lost = &LostError{Key: k.name(), Reason: why, Err: k.failure}
	}
	switch why {
	case MaxHoldReached: // the key is still ours
	case Expired: // the key may be, for as long as the drift that was allowed for
		k.phase = finished
	default:
		k.phase = finished
		k.settled = true
	}
	gone := k.phase == finished
	if k.renewal != nil {
		k.renewal.Stop()
	}
	if gone && k.guard != nil {
		k.guard.Stop()
	}
	lost, root, since := k.lost, k.root, k.since
	k.mu.Unlock()

	if first {
		if root != nil {
			root.end(lost)
		}
		k.emit(Event{Kind: EventLost, Held: k.locker.now() - since, Err: lost})
	}
	if gone {
		k.locker.leave(k)
	}
}

// isOver says whether the lock has ended, by the clock too.
func (k *Lock) isOver() bool {
	k.check()
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.phase == finished
}

// Context is done when the lock is lost or released; its cause is a [*LostError] or
// [ErrReleased]. It ends before the key can expire in Redis. It has the values of
// Acquire's ctx but not its end, which bounds the wait only.
func (k *Lock) Context() context.Context {
	if k == nil {
		return releasedContext
	}
	return k.scope()
}

// releasedContext is the context of a nil Lock.
var releasedContext = func() context.Context {
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(ErrReleased)
	return ctx
}()

// scope is the lock's own scope, made when it is first needed.
func (k *Lock) scope() *scope {
	k.mu.Lock()
	root := k.root
	k.mu.Unlock()
	if root != nil {
		return root
	}
	s := newScope(k.base, k) // calls base, which is not ours, so not with k.mu held
	k.mu.Lock()
	if root = k.root; root == nil {
		root, k.root = s, s
		k.watchLocked()
	}
	err := k.err()
	k.mu.Unlock()
	if err != nil {
		root.end(err)
	}
	if root != s {
		s.cancel(err) // another call was faster
	}
	return root
}
