package lockrt

import (
	"fmt"
	"time"
)

// An EventKind says what happened to a lock.
type EventKind int

const (
	// EventContended: the key is held, the caller starts to wait. Once for each Acquire.
	EventContended EventKind = iota + 1
	// EventAcquired: Took is the time since Acquire was called.
	EventAcquired
	// EventRenewed: Took is the round trip.
	EventRenewed
	// EventRenewFailed: a renewal failed with Err; Took is the time it took to fail. AutoRenew
	// tries again while the lease lasts, Renew also unless Redis has refused for good.
	EventRenewFailed
	// EventLost: Err is a *LostError, Held is set. Once for each lock at most.
	EventLost
	// EventReleased: Held is set, Took is the duration of Release.
	EventReleased
	// EventReleaseFailed: Release returns Err, which matches ErrUnconfirmed; Held and Took as
	// in EventReleased. A later Release may succeed.
	EventReleaseFailed
)

func (k EventKind) String() string {
	names := [...]string{"contended", "acquired", "renewed", "renew failed", "lost", "released", "release failed"}
	if k < 1 || int(k) > len(names) {
		return fmt.Sprintf("EventKind(%d)", int(k))
	}
	return names[k-1]
}

// An Event is one step in the life of a lock, for logs and metrics. Which of Took, Held and
// Err are set depends on the kind; the others are zero.
type Event struct {
	Kind EventKind
	Key  string
	Took time.Duration // of the operation
	Held time.Duration // since the lock was acquired
	Err  error
}

func (k *Lock) emit(e Event) {
	if k.opt.event != nil {
		e.Key = k.name()
		k.opt.event(e)
	}
}
