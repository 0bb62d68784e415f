package locks

// A state is one way things can stand after a create: whether the lock was
// acquired, whether the work is known to have failed, and whether the variables
// that hold the create's results still do.
type state uint8

const (
	acquired state = iota
	held           // somebody else holds the key
	failed         // the request failed
	outcomes = 3
)

const (
	workFailed state = 4 << iota // 4
	okStale                      // 8
	errStale                     // 16
	states     = 32
)

func (s state) outcome() state { return s & 3 }

// A stateSet holds the states that can reach a point.
type stateSet uint32

func (s stateSet) has(x state) bool { return s&(1<<x) != 0 }

func (s stateSet) each(f func(state)) {
	for x := range state(states) {
		if x.outcome() < outcomes && s.has(x) {
			f(x)
		}
	}
}

// start is what a create leaves behind.
const start = stateSet(1<<acquired | 1<<held | 1<<failed)

// can reports whether an outcome is possible.
func (s stateSet) can(o state) bool {
	found := false
	s.each(func(x state) { found = found || x.outcome() == o })
	return found
}

// succeeded reports whether the point can be reached by the holder with nothing
// known to have failed.
func (s stateSet) succeeded() bool {
	found := false
	s.each(func(x state) { found = found || x.outcome() == acquired && x&workFailed == 0 })
	return found
}

// only keeps the states with one outcome.
func (s stateSet) only(o state) stateSet {
	var out stateSet
	s.each(func(x state) {
		if x.outcome() == o {
			out |= 1 << x
		}
	})
	return out
}

func (s stateSet) staleErr(stale bool) stateSet {
	if !stale {
		return s
	}
	var out stateSet
	s.each(func(x state) { out |= 1 << (x | errStale) })
	return out
}

// failed marks all states as those of a holder whose work failed.
func (s stateSet) failed() stateSet {
	var out stateSet
	s.each(func(x state) { out |= 1 << (x | workFailed) })
	return out
}

// without drops the states with an outcome.
func (s stateSet) without(o state) stateSet { return s &^ s.only(o) }
