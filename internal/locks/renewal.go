package locks

import (
	"slices"
	"strings"
)

// renewal reports whether an unconditional expiry renews a lock that has a TTL of
// its own: in a loop, in a function named after renewing, not the promotion of a
// marker that was just created.
func (c *collector) renewal(l *Lock, m *Member) bool {
	if m.Kind != Expire {
		return false
	}
	if m.Same {
		if m.Path.Loop && (m.Path.After() || m.Path.Unknown) || renewNamed(m.Fn.Name()) && !createdHere(l.Creates, m.Fn) {
			return true
		}
		// A func that is handed on, of a lock beyond doubt: refresh := func() …
		return m.Path.Async && (c.keyNamed(l) || len(l.Checked) > 0)
	}
	return m.Path.Loop || renewNamed(m.Fn.Name()) || c.fnNamed(m.Fn) && !c.releases(m.Fn) && !c.acquires(m.Fn)
}

// Renewal reports whether an unconditional expiry renews the lock.
func (m *Member) Renewal() bool { return m.renewal }

// renewsLock reports whether a name says no more than that the lock of acquire is
// renewed: Renew, Extend, RefreshLock; not RefreshSession, ExtendTTL or Touch.
func renewsLock(acquire, name string) bool {
	if !renewNamed(name) || general(name) {
		return false
	}
	of := strings.Fields(stem(acquire))
	lock := has(name, lockWords)
	for _, w := range words(name) {
		switch {
		case w == "ttl" && !lock:
			return false
		case slices.Contains(renewWords, w), slices.Contains(lockWords, w), slices.Contains(fillWords, w), slices.Contains(of, w):
		default:
			return false
		}
	}
	return true
}

// rootRenewals takes a command for a renewal where a call of its function is one.
func (l *Lock) rootRenewals() {
	for _, m := range l.Expires {
		for _, r := range l.Expires {
			if m.renewal && m.Derived() && r.Effect == m.Root {
				r.renewal = true
			}
		}
	}
}
