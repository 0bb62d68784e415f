package locks

import "fmt"

// freedOnSuccess: the holder deletes the key when the work is done.
func (c *collector) freedOnSuccess(l *Lock, held []*Member, keyNamed, marker bool) (Evidence, bool) {
	if !keyNamed && l.data(nil) {
		return Evidence{}, false
	}
	for _, m := range l.Frees {
		if !m.Same || m.Weak || m.raced != nil || !m.Path.Succeeded() || !createdHere(held, m.Fn) {
			continue
		}
		if !(m.Path.Acquired() || m.Path.Deferred || keyNamed) {
			continue
		}
		if !keyNamed && c.allKept(held, m.Fn, l.Frees) {
			continue
		}
		if marker && !m.Path.Deferred && (!m.Path.Acquired() || l.byMarker()) {
			continue
		}
		return Evidence{FreedOnSuccess, fmt.Sprintf("%s deletes it when the work is done", c.shown(m.Effect)), m.Pos()}, true
	}
	return Evidence{}, false
}

// allKept reports whether the key of each create of a function may be kept by a
// holder whose work succeeded.
func (c *collector) allKept(held []*Member, f *Func, frees []*Member) bool {
	for _, cr := range held {
		if cr.Fn == f && !c.keptOnSuccess(cr, frees) {
			return false
		}
	}
	return true
}

func createdHere(held []*Member, f *Func) bool {
	for _, m := range held {
		if m.Fn == f {
			return true
		}
	}
	return false
}

// siblings: created and freed by functions named like acquire and release.
func (c *collector) siblings(l *Lock, held []*Member, keyNamed, marker bool) (Evidence, bool) {
	if marker {
		return Evidence{}, false
	}
	for _, cr := range held {
		if !c.acquires(cr.Fn) {
			continue
		}
		for _, m := range l.Frees {
			if c.releases(m.Fn) && m.Fn != cr.Fn && (c.tied(cr.Fn, m.Fn) || keyNamed || m.linked) {
				return Evidence{Siblings, fmt.Sprintf("%s acquires it and %s deletes it", c.fnAt(cr.Fn), c.shown(m.Effect)), m.Pos()}, true
			}
		}
	}
	return Evidence{}, false
}

// named: the key, the function or the type is named after a lock, and something
// frees or renews the key.
func (c *collector) named(l *Lock, held []*Member, keyNamed, marker bool) (Evidence, bool) {
	what := ""
	switch {
	case keyNamed && !has(l.Key.Literals(), barWords):
		what = "its key is named after a lock"
	case keyNamed:
		// A flag that bars an account is named so too.
	case marker:
		return Evidence{}, false
	}
	for _, list := range [][]*Member{l.Frees, l.Expires} {
		for _, m := range list {
			if m.Same && (m.Path.WorkFailed() || !m.Path.After()) {
				continue // a marker given back, or cleared beforehand
			}
			if m.Kind == Expire && !c.renewal(l, m) {
				continue
			}
			why := what
			if why == "" {
				for _, f := range append([]*Func{m.Fn}, fnsOf(held)...) {
					if c.fnNamed(f) && (f != m.Fn || !m.Same || createdHere(held, f)) {
						why = c.fnAt(f) + " is named after a lock"
						break
					}
				}
			}
			if why == "" {
				continue
			}
			verb := "deletes"
			if m.Kind == Expire {
				verb = "renews"
			}
			return Evidence{Named, fmt.Sprintf("%s and %s %s it", why, c.shown(m.Effect), verb), m.Pos()}, true
		}
	}
	return Evidence{}, false
}

func fnsOf(ms []*Member) []*Func {
	var out []*Func
	for _, m := range ms {
		out = append(out, m.Fn)
	}
	return out
}

// compares: the value is compared before the key is freed or renewed, and the key
// is created or lock-named. One-time codes are compared too: they are not created
// NX and not named after a lock.
func (c *collector) compares(l *Lock, keyNamed, marker bool) (Evidence, bool) {
	for _, list := range [][]*Member{l.Frees, l.Expires} {
		for _, m := range list {
			if m.raced == nil || m.Same && m.Path.WorkFailed() {
				continue
			}
			named := keyNamed || c.fnNamed(m.Fn) || c.releases(m.Fn) && has(m.Fn.Name(), lockWords)
			created := len(l.Creates) > 0 && !marker && (m.Same || c.pairs(l, m.Fn))
			owner := m.InTx && c.comparesOwner(m.raced)
			if named || created || owner {
				return Evidence{Compares, fmt.Sprintf("%s compares its value with the owner's before", c.shown(m.raced)), m.Pos()}, true
			}
		}
	}
	return Evidence{}, false
}

// pairs reports whether a function is named like the release or the renewal of one
// that acquires. Codes and tokens are checked and consumed in functions too, by other
// names.
func (c *collector) pairs(l *Lock, f *Func) bool {
	if c.releases(f) || renewNamed(f.Name()) {
		return true
	}
	for _, cr := range l.Creates {
		if c.acquires(cr.Fn) {
			return true
		}
	}
	return false
}

// renewed: the holder keeps the key alive in a loop while the work runs, and the
// value names an owner. Enough for the rules of renewal alone.
func (c *collector) renewed(l *Lock, held []*Member) (Evidence, bool) {
	if !c.anyOwner(held) || l.data(nil) {
		return Evidence{}, false
	}
	for _, m := range l.Expires {
		if m.Same && m.Path.Loop && m.Path.Acquired() && createdHere(held, m.Fn) && !l.Halves(m) {
			return Evidence{Renewed, fmt.Sprintf("%s keeps it alive while the work runs", c.shown(m.Effect)), m.Pos()}, true
		}
	}
	return Evidence{}, false
}

// excludes: SETNX and EXPIRE need no release to be a fault. It is enough that the
// create decides whether code runs and that the key holds no data. An expiry that
// losers set too is a sliding window unless the value names an owner.
func (c *collector) excludes(l *Lock, held []*Member, keyNamed, marker bool) Evidence {
	for _, cr := range held {
		if !c.looked(cr.Effect) && cr.Queue == NoQueue {
			continue
		}
		if l.data(func(f *Func) bool { return f == cr.Fn || f.Recv() != nil && f.Recv() == cr.Fn.Recv() }) || l.readAsData(c, cr.Fn) {
			continue
		}
		for _, m := range l.Expires {
			if !m.Same || m.Fn != cr.Fn || !SecondHalf(cr, m) {
				continue
			}
			losers := m.Path.Unheld() || m.Queue != NoQueue || m.Losers
			if losers && !(c.ownerValue(cr.Effect) || keyNamed || c.fnNamed(cr.Fn) || c.acquires(cr.Fn)) {
				continue
			}
			return Evidence{Excludes, "its creation decides who runs", cr.Pos()}
		}
	}
	// A caller that did not acquire deletes the key of an owner.
	for _, m := range l.Frees {
		if m.Same && m.Path.NotAcquired() && (keyNamed || !marker && c.anyOwner(held)) {
			return Evidence{Compares, "its value names an owner", m.Pos()}
		}
	}
	return Evidence{}
}

// SecondHalf reports whether an expiry is the second half of a create: the create
// sets none itself, or a script sets it for losers too.
func SecondHalf(cr, m *Member) bool {
	if m.Script && m.Losers {
		return m.Call == cr.Call
	}
	return cr.TTL.Missing()
}
