package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/locklint/locklint/internal/locks"
)

// owner makes what frees and renews a lock compare the token of its holder, and
// gives each acquisition a token of its own where the value is none.
func (d *draft) owner() {
	l := d.lock
	if l.Evidence.Kind == locks.Renewed {
		d.renewals()
		return
	}
	if !l.Evidence.IsLock() {
		return
	}
	var weak, shared bool
	for _, cr := range l.Creates {
		weak = weak || d.weak(cr)
		shared = shared || d.sharedValue(cr)
	}
	if weak && l.Released() || shared && len(d.bare()) > 0 {
		why := d.try(d.tokens)
		if why != "" && why != decision && !weak {
			why = "the stored value is part of the key, the same for all who want the lock, and " + why
		}
		for _, cr := range l.Creates {
			if why != "" && cr.ValueAt() != nil {
				d.no(cr.ValueAt(), Value, why)
			}
		}
		for _, m := range d.bare() {
			if why != "" {
				d.no(m.At, Owner, why)
			}
		}
		return
	}
	if d.lostAcross() && d.try(d.tokens) == "" {
		return
	}
	replaced := false
	for _, m := range l.Others {
		replaced = replaced || m.Kind == locks.Data || m.Kind == locks.Overwrite
	}
	bare := d.bare()
	one := func(m *locks.Member) string {
		if d.isGone(m.Call) {
			return ""
		}
		if replaced {
			return "something else is stored under the key too"
		}
		if d.foreign(m.Call, d.creating(m.Fn)) {
			return othersLock
		}
		tok, why := d.tokenAt(m)
		if why != "" {
			return why
		}
		return d.compare(m, tok)
	}
	all := d.try(func() string {
		for _, m := range bare {
			if why := one(m); why != "" {
				return why
			}
		}
		return ""
	})
	if all != "" && all != decision && !replaced {
		if d.try(d.keptAlong) == "" || d.inline() && d.try(d.tokens) == "" {
			return
		}
	}
	for _, m := range bare {
		why := ""
		if all != "" {
			why = d.try(func() string { return one(m) })
		}
		if why != "" {
			d.no(m.At, Owner, why)
			if cr := l.CreateFor(m); cr != nil && cr.Value.Kind == locks.ValueFresh && cr.ValueAt() != nil {
				d.no(cr.ValueAt(), Value, why)
			}
			continue
		}
		d.fixed(m)
	}
}

// renewals makes what renews a key compare the token, where that it is renewed is all
// that shows a lock: what else is done to it stays.
func (d *draft) renewals() {
	l := d.lock
	for _, m := range d.bare() {
		if m.Kind != locks.Expire {
			continue
		}
		why := d.try(func() string {
			for _, cr := range l.Creates {
				if d.weak(cr) || d.sharedValue(cr) {
					return "its value is the same for all who want the lock: store a fresh token first"
				}
			}
			for _, x := range l.Others {
				if x.Kind == locks.Data || x.Kind == locks.Overwrite {
					return "something else is stored under the key too"
				}
			}
			tok, why := d.tokenAt(m)
			if why != "" {
				return why
			}
			return d.compare(m, tok)
		})
		if why != "" {
			d.no(m.At, Owner, why)
			continue
		}
		d.fixed(m)
	}
}

// inline reports whether the tokens are made inside the calls that create the key.
func (d *draft) inline() bool {
	return !slices.ContainsFunc(d.lock.Creates, func(cr *locks.Member) bool {
		return cr.Value.Kind != locks.ValueFresh || cr.Derived() || isName(orNone(cr.Value.Expr))
	})
}

// lostAcross reports whether the lock is freed in another function than the one that
// makes its token inside the call that creates the key.
func (d *draft) lostAcross() bool {
	if !d.inline() {
		return false
	}
	for _, m := range d.bare() {
		if cr := d.lock.CreateFor(m); cr != nil && cr.Fn != m.Fn {
			return true
		}
	}
	return false
}

func (d *draft) fixed(m *locks.Member) {
	d.yes(m.At, Owner)
	if m.Kind == locks.Expire {
		d.notes = append(d.notes, "compare the token and extend the lock in one step")
	} else {
		d.notes = append(d.notes, "compare the token and free the lock in one step")
	}
}

// bare lists what frees or renews the lock without a check.
func (d *draft) bare() []*locks.Member {
	var out []*locks.Member
	for _, m := range d.lock.Frees {
		if m.At != nil && !(m.Same && !m.Path.After()) {
			out = append(out, m)
		}
	}
	for _, m := range d.lock.Expires {
		if m.At != nil && (m.Raced() != nil || m.Renewal() && !d.lock.Halves(m)) {
			out = append(out, m)
		}
	}
	return out
}

// weak reports whether the value of a create is no token.
func (d *draft) weak(cr *locks.Member) bool {
	switch cr.Value.Kind {
	case locks.ValueConst, locks.ValueSecond:
		return true
	case locks.ValueHost, locks.ValueProcess:
		return !d.lock.Elects()
	}
	return false
}

// compare turns a free or a renewal into one that compares the token.
func (d *draft) compare(m *locks.Member, tok string) string {
	if m.Derived() {
		return d.derived(m, tok)
	}
	step := d.free
	if m.Kind == locks.Expire {
		step = d.renew
	}
	if why := step(m, tok); why != "" {
		return why
	}
	if m.Raced() != nil {
		d.unwrap(m)
	}
	return ""
}

// tokenAt returns the expression that holds the token where a lock is freed.
func (d *draft) tokenAt(m *locks.Member) (string, string) {
	if raced := m.Raced(); raced != nil {
		if e := d.res.Owner(raced); e != nil && d.comparable(e) {
			if text, ok := d.carry(e, m.Pos()); ok {
				return text, ""
			}
		}
	}
	if text, ok := d.inMade(m); ok {
		return text, ""
	}
	cr := d.lock.CreateFor(m)
	if cr == nil {
		return "", "nothing in this package stores a token under the key"
	}
	e := cr.Value.Expr
	if e == nil {
		return "", "the stored value is not one expression"
	}
	if cr.Fn != m.Fn {
		return d.tokenElsewhere(m)
	}
	if d.sharedField(cr, e) {
		return "", "the token is in a field that another call of a method overwrites: keep it in a variable of its own"
	}
	for _, other := range d.lock.Creates {
		if other.Fn == m.Fn && other != cr && types.ExprString(orNone(other.Value.Expr)) != types.ExprString(e) {
			return "", "the key is created with several values"
		}
	}
	if !isName(e) {
		if !d.inside(e, cr.Call) && d.declared(e.Pos()) != function(cr.Effect) {
			return "", "the stored value is not kept"
		}
		return d.hoisted(cr, e, m)
	}
	if !d.comparable(e) || !d.settled(e, cr) || d.turns(e, m.Call) || d.anotherTurn(e, m.Call, d.creating(m.Fn)) || d.result(e, m) {
		return "", "the stored value may be another by then"
	}
	text, ok := d.carry(e, m.Pos())
	if !ok {
		return "", "the token is not in scope there"
	}
	return text, ""
}

// sharedValue reports whether all who want the lock store the same, since the value is
// one that the key is made of.
func (d *draft) sharedValue(cr *locks.Member) bool {
	return cr.Value.Kind == locks.ValueKept && cr.Value.Expr != nil && d.partOfKey(cr, cr.Value.Expr)
}

// outdated reports whether the value that a call passes on is not stored any more once
// the create behind it stores a token in the place of a part of the key.
func (d *draft) outdated(call *locks.Member) bool {
	return slices.ContainsFunc(d.lock.Creates, func(cr *locks.Member) bool {
		return cr.Effect == call.Root && !cr.Derived() && d.sharedValue(cr)
	})
}

// result reports whether a token is a named result, which a return sets before what is
// deferred in a literal reads it.
func (d *draft) result(e ast.Expr, m *locks.Member) bool {
	v := d.variable(e)
	return v != nil && !d.atOnce(m.Call) && d.named(function(m.Effect), v)
}

// partOfKey reports whether the stored value is one that the key is made of.
func (d *draft) partOfKey(cr *locks.Member, e ast.Expr) bool {
	v := d.variable(e)
	text := types.ExprString(e)
	for _, h := range cr.Key.Holes() {
		if v != nil && h.Var == v && h.Path == "" || v == nil && isName(e) && h.Text == text {
			return true
		}
	}
	return false
}

func orNone(e ast.Expr) ast.Expr {
	if e == nil {
		return &ast.BadExpr{}
	}
	return e
}

func (d *draft) inside(e, outer ast.Node) bool {
	return outer.Pos() <= e.Pos() && e.End() <= outer.End()
}

// isName reports whether an expression names a variable or a field of one.
func isName(e ast.Expr) bool {
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident:
		return true
	case *ast.SelectorExpr:
		return isName(x.X)
	}
	return false
}

func (p *planner) declared(pos token.Pos) *ast.FuncDecl {
	f := p.file(pos)
	if f == nil {
		return nil
	}
	for _, decl := range f.Decls {
		if fd, ok := decl.(*ast.FuncDecl); ok && fd.Pos() <= pos && pos < fd.End() {
			return fd
		}
	}
	return nil
}
