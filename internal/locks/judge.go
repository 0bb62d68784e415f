package locks

import (
	"go/types"
	"slices"
)

// judge makes a Lock of a group if there is evidence that it is one.
func (c *collector) judge(g []*cluster) *Lock {
	l := &Lock{}
	for _, k := range g {
		if c.ignored(k.fn) {
			continue
		}
		for _, e := range k.effects {
			m := &Member{Effect: e, Lock: l, linked: k.linked}
			switch e.Kind {
			case Create:
				l.Creates = append(l.Creates, m)
			case Expire:
				l.Expires = append(l.Expires, m)
			case Free:
				if !forced(k.fn) && !e.forced && !c.onForce(e) {
					l.Frees = append(l.Frees, m)
				}
			case CheckedFree, CheckedRenew:
				l.Checked = append(l.Checked, m)
			case Overwrite:
				if c.clears(e) && !forced(k.fn) {
					e.Weak = true
					l.Frees = append(l.Frees, m)
					continue
				}
				l.Others = append(l.Others, m)
			default:
				l.Others = append(l.Others, m)
			}
			if e.KeyExpr != nil && l.Text == "" && (e.Kind == Create || len(l.Creates) == 0) {
				l.Text = short(types.ExprString(e.KeyExpr))
			}
			l.Key.Names = append(l.Key.Names, e.Key.Names...)
		}
		if l.Key.Parts == nil || k.creates() && !l.createdApartFrom(k.fn) {
			l.Key.Parts = k.key.Parts
		}
	}
	for _, m := range l.Creates {
		if m.KeyExpr != nil {
			l.Text = short(types.ExprString(m.KeyExpr))
			l.Key.Parts = m.Key.Parts
			break
		}
	}
	if l.Text == "" {
		l.Text = l.Key.String()
	}
	if c.excluded(l.Key) {
		c.dropped = append(c.dropped, l)
		return nil
	}
	l.callsOnly()
	l.unguarded()
	l.cleanUps()
	c.paths(l)
	c.races(l)
	if l.Evidence = c.evidence(l); l.Evidence.Kind == NoEvidence {
		c.dropped = append(c.dropped, l)
		return nil
	}
	for _, m := range l.Members() {
		m.Effect.lock = l
	}
	return l
}

// createdApartFrom reports whether another function than f creates the key.
func (l *Lock) createdApartFrom(f *Func) bool {
	for _, m := range l.Creates {
		if m.Fn != f {
			return true
		}
	}
	return false
}

// callsOnly leaves out what an imported function does where a call of it is among
// the members.
func (l *Lock) callsOnly() {
	called := map[Origin]bool{}
	for _, m := range l.Members() {
		if m.Far != nil && !m.floating {
			called[*m.Far] = true
		}
	}
	for _, list := range []*[]*Member{&l.Creates, &l.Expires, &l.Frees, &l.Checked, &l.Others} {
		*list = slices.DeleteFunc(*list, func(m *Member) bool { return m.floating && called[*m.Far] })
	}
}

// unguarded takes an expiry queued in a watched transaction together with the
// create for what it is: the second half of the create, not a checked renewal.
func (l *Lock) unguarded() {
	l.Checked = slices.DeleteFunc(l.Checked, func(m *Member) bool {
		if m.Kind != CheckedRenew || !m.Watched {
			return false
		}
		for _, cr := range l.Creates {
			if cr.QueueOf != nil && cr.QueueOf == m.QueueOf {
				m.Kind = Expire
				m.Lit = m.Cmd.Name
				l.Expires = append(l.Expires, m)
				return true
			}
		}
		return false
	})
}

// paths finds how each effect is reached from the creates of its function.
func (c *collector) paths(l *Lock) {
	for _, m := range l.Members() {
		if m.Kind == Create {
			continue
		}
		first := true
		for _, cr := range l.Creates {
			if cr.Fn != m.Fn || cr.Call == nil || m.Call == nil {
				continue // not here, or a function of another package that is not called
			}
			p := c.path(cr.Effect, m.Effect)
			if first {
				m.Path, m.Same, first = p, true, false
				continue
			}
			m.Path.set |= p.set
			m.Path.Unknown = m.Path.Unknown && p.Unknown
			m.Path.Loop = m.Path.Loop && p.Loop
		}
		if !m.Same {
			m.Path = Path{Unknown: true}
			if m.Call != nil {
				m.Path.Loop = c.inLoop(m.Effect, nil) || m.Looped
			}
		}
	}
}
