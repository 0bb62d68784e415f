package lockrt

import (
	"context"
	"errors"
	"fmt"
)

var (
	// ErrHeld says that another holder has the key.
	ErrHeld = errors.New("lockrt: held by another")
	// ErrLost says that the lease ended before its holder was done. The error that
	// matches it is a [*LostError] and has the reason.
	ErrLost = errors.New("lockrt: lock lost")
	// ErrReleased says that the lock was released by an earlier call.
	ErrReleased = errors.New("lockrt: already released")
	// ErrUnconfirmed says that Redis did not confirm a release. The key ends with its
	// TTL at the latest.
	ErrUnconfirmed = errors.New("lockrt: outcome not confirmed")
	// ErrInvalid says that an argument cannot be right. Nothing was sent.
	ErrInvalid = errors.New("lockrt: invalid argument")
)

// A Reason says why a lock was lost.
type Reason int

const (
	// Expired: no renewal was confirmed in time.
	Expired Reason = iota + 1
	// Missing: Redis no longer has the key. It expired, was deleted or evicted, or the
	// server lost its data.
	Missing
	// Taken: the key has another value, so another holder has the lock.
	Taken
	// MaxHoldReached: the holder kept the lock for as long as [MaxHold] allows. The key
	// is still this lock's until Deadline, and Release deletes it.
	MaxHoldReached
)

func (r Reason) String() string {
	switch r {
	case Expired:
		return "expired"
	case Missing:
		return "key is missing"
	case Taken:
		return "key was taken by another"
	case MaxHoldReached:
		return "held for MaxHold"
	}
	return fmt.Sprintf("Reason(%d)", int(r))
}

// A LostError says which lock was lost and why. It matches [ErrLost].
type LostError struct {
	Key    string
	Reason Reason
	Err    error // what failed before: the last renewal, or an answer that came too late; or nil
}

func (e *LostError) Error() string {
	s := fmt.Sprintf("%v: key %q: %v", ErrLost, e.Key, e.Reason)
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}

// Is makes errors.Is(err, ErrLost) true.
func (e *LostError) Is(target error) bool { return target == ErrLost }

// Unwrap is Err.
func (e *LostError) Unwrap() error { return e.Err }

func invalid(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrInvalid, fmt.Sprintf(format, args...))
}

// ended joins what a caller waited for, and why it stopped waiting. It matches what,
// ctx.Err and ctx's cause.
func ended(ctx context.Context, key string, what error) error {
	err, cause := ctx.Err(), context.Cause(ctx)
	if errors.Is(cause, err) {
		return fmt.Errorf("%w: key %q: %w", what, key, cause)
	}
	return fmt.Errorf("%w: key %q: %w: %w", what, key, err, cause)
}
