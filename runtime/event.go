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
	// EventRenewFailed: a renewal failed with Err and will be tried again while the
	// lease lasts.
	EventRenewFailed
	// EventLost: Err is a *LostError, Held the time since the lock was acquired.
	EventLost
	// EventReleased: Held is the time the lock was held, Took the duration of Release.
	EventReleased
	// EventReleaseFailed: Release returns Err, which matches ErrUnconfirmed.
	EventReleaseFailed
)

func (k EventKind) String() string {
	names := [...]string{"contended", "acquired", "renewed", "renew failed", "lost", "released", "release failed"}
	if k < 1 || int(k) > len(names) {
		return fmt.Sprintf("EventKind(%d)", int(k))
	}
	return names[k-1]
}

// An Event is one step in the life of a lock, for logs and metrics.
type Event struct {
	Kind EventKind
	Key  string
	Took time.Duration
	Held time.Duration
	Err  error
}

func (k *Lock) emit(e Event) {
	if k.opt.event != nil {
		e.Key = k.name()
		k.opt.event(e)
	}
}
