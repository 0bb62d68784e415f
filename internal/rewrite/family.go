package rewrite

import (
	"go/ast"
	"slices"

	"github.com/locklint/locklint/internal/locks"
)

// families plans again, together, the locks that are freed or renewed by one helper: it
// can be given the token only if all of its callers have one. Each lock then carries
// the whole plan.
func (p *planner) families() {
	for _, all := range p.kin() {
		var alone []*draft
		for _, l := range all {
			if d := p.out.plans[l].draft; d != nil {
				alone = append(alone, d)
			}
		}
		p.reserve(alone, false)
		plan := p.together(all)
		if plan == nil {
			p.reserve(alone, true)
			continue
		}
		for _, l := range all {
			p.out.plans[l] = plan
		}
	}
}

// reserve keeps or gives back the names that drafts bring into functions.
func (p *planner) reserve(drafts []*draft, keep bool) {
	for _, d := range drafts {
		for _, r := range d.names {
			if keep {
				p.taken[r.fn][r.name] = true
			} else {
				delete(p.taken[r.fn], r.name)
			}
		}
	}
}

// kin groups the locks that lack a fix by the helpers that they share.
func (p *planner) kin() [][]*locks.Lock {
	var families [][]*locks.Lock
	users := map[*ast.FuncDecl]int{} // the family that a helper belongs to
	for _, l := range p.res.Locks {
		if !p.unmended(l) {
			continue
		}
		helpers := p.helpers(l)
		if len(helpers) == 0 {
			continue
		}
		at := len(families)
		families = append(families, []*locks.Lock{l})
		for _, h := range helpers {
			if i, ok := users[h]; ok && i != at {
				families[at] = append(families[i], families[at]...)
				families[i] = nil
				for other, j := range users {
					if j == i {
						users[other] = at
					}
				}
			}
			users[h] = at
		}
	}
	return slices.DeleteFunc(families, func(f []*locks.Lock) bool { return len(f) < 2 })
}

// unmended reports whether something that frees or renews a lock has no fix.
func (p *planner) unmended(l *locks.Lock) bool {
	plan := p.out.plans[l]
	return l.Evidence.IsLock() && slices.ContainsFunc(newDraft(p, l).bare(), func(m *locks.Member) bool {
		return m.At.Call != nil && !plan.done[place{m.At.Call.Pos(), Owner}]
	})
}

// helpers lists the functions of this package through which a lock is freed or renewed
// and that can be given another parameter.
func (p *planner) helpers(l *locks.Lock) []*ast.FuncDecl {
	d := newDraft(p, l)
	var out []*ast.FuncDecl
	for _, m := range d.bare() {
		for e := m.Step; e != nil; e = e.Step {
			if e.Fn != nil && e.Fn.Decl != nil && !slices.Contains(out, e.Fn.Decl) && d.open(e.Fn.Decl) {
				out = append(out, e.Fn.Decl)
			}
		}
	}
	return out
}

// together plans several locks as one. Nil: not all of them can be put right.
func (p *planner) together(all []*locks.Lock) *Plan {
	d := newDraft(p, nil)
	one := &locks.Lock{Key: all[0].Key, Text: all[0].Text, Evidence: all[0].Evidence}
	var weak []bool
	for _, l := range all {
		d.lock = l
		if d.forbidden() != "" {
			return nil
		}
		d.expiry()
		for _, cr := range l.Creates {
			weak = append(weak, d.weak(cr) || d.sharedValue(cr))
		}
		one.Creates = append(one.Creates, l.Creates...)
		one.Expires = append(one.Expires, l.Expires...)
		one.Frees = append(one.Frees, l.Frees...)
		one.Checked = append(one.Checked, l.Checked...)
		one.Others = append(one.Others, l.Others...)
	}
	if slices.Contains(weak, true) && slices.Contains(weak, false) {
		return nil // a token that is kept stays what it is
	}
	d.lock = one
	d.owner()
	plan := d.finish()
	for _, m := range d.bare() {
		if m.At.Call == nil || !plan.done[place{m.At.Call.Pos(), Owner}] {
			return nil
		}
	}
	for _, l := range all {
		for at := range p.out.plans[l].done {
			if !plan.done[at] {
				return nil
			}
		}
	}
	return plan
}
