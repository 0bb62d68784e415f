package lockrt

import "time"

// MinTTL is the shortest lease. Below it the allowance for clock drift leaves
// nothing to work with.
const MinTTL = 10 * time.Millisecond

// An Option changes how a [Locker], or one acquisition, works. Options of one
// acquisition win over the Locker's.
type Option interface{ apply(*options) }

type optionFunc func(*options)

func (f optionFunc) apply(o *options) { f(o) }

type options struct {
	autoRenew      bool
	fencing        bool
	maxHold        time.Duration // 0: no limit
	minPause       time.Duration // between two tries
	maxPause       time.Duration
	releaseTimeout time.Duration // 0: min(ttl, 5s)
	event          func(Event)
	err            error // the first option that cannot be right
}

var defaults = options{minPause: 2 * time.Millisecond, maxPause: 64 * time.Millisecond}

// with returns o itself, or a changed copy.
func (o *options) with(opts []Option) (*options, error) {
	if len(opts) == 0 {
		return o, nil
	}
	c := *o
	for _, opt := range opts {
		if opt == nil {
			return nil, invalid("a nil Option")
		}
		opt.apply(&c)
	}
	return &c, c.err
}

func (o *options) fail(err error) {
	if o.err == nil {
		o.err = err
	}
}

// AutoRenew renews the lease about every third of its ttl, sooner where a slow answer has
// used it up, until the lock is released or lost. [Locker.Do] always renews. With Acquire
// and TryAcquire it needs [MaxHold]:
// a handle that nobody releases would hold its key for ever.
func AutoRenew() Option {
	return optionFunc(func(o *options) { o.autoRenew = true })
}

// MaxHold ends the lock's context d after it was acquired, with [MaxHoldReached] as
// the reason, and stops its renewal. The key stays until it is released or its last
// ttl is over, so that the holder can clean up.
func MaxHold(d time.Duration) Option {
	return optionFunc(func(o *options) {
		if d <= 0 {
			o.fail(invalid("MaxHold(%v): must be positive", d))
		}
		o.maxHold = d
	})
}

// Backoff sets the wait between two tries for a held key: random between a half and the
// whole of a limit that doubles from twice shortest up to longest. The default is 2 ms and 64 ms.
func Backoff(shortest, longest time.Duration) Option {
	return optionFunc(func(o *options) {
		if shortest <= 0 || longest < shortest {
			o.fail(invalid("Backoff(%v, %v): needs 0 < shortest <= longest", shortest, longest))
		}
		o.minPause, o.maxPause = shortest, longest
	})
}

// ReleaseTimeout bounds Release, also where its ctx cannot end. The default is the
// ttl, at most 5 s.
func ReleaseTimeout(d time.Duration) Option {
	return optionFunc(func(o *options) {
		if d <= 0 {
			o.fail(invalid("ReleaseTimeout(%v): must be positive", d))
		}
		o.releaseTimeout = d
	})
}

// Fencing gives every acquisition a number that is greater than those before it, see
// [Lock.Fence]. It costs one more key for each lock, "{key}:fence" in the slot of key,
// which ends a day after its last use. The numbers are server time in microseconds or one more
// than the last, whichever is greater, so they keep rising after the counter was lost.
// While Redis Cluster moves the slot, an acquisition waits until the move is done.
func Fencing() Option {
	return optionFunc(func(o *options) { o.fencing = true })
}

// OnEvent calls f at each [Event], in the goroutine where it happens: f must be quick,
// safe for concurrent use, and must not call methods of the Lock or wait for them.
func OnEvent(f func(Event)) Option {
	return optionFunc(func(o *options) { o.event = f })
}

// checkTTL bounds a lease from below only: any finite lease is a lease.
func checkTTL(ttl time.Duration) error {
	if ttl < MinTTL {
		return invalid("ttl %v: must be at least %v", ttl, MinTTL)
	}
	return nil
}

// millis rounds up, so that the server never keeps a key for less than was asked for.
func millis(ttl time.Duration) int64 {
	ms := int64(ttl / time.Millisecond)
	if ttl%time.Millisecond > 0 {
		ms++
	}
	return ms
}

// lease is how much of a ttl the holder trusts: clocks may run apart by one percent
// in a lease, and a timer takes a moment to fire. Capped so that adding it to a
// reading of the clock cannot overflow.
func lease(ttl time.Duration) time.Duration {
	return min(ttl-ttl/100-2*time.Millisecond, 1<<62)
}
