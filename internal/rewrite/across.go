package rewrite

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/locklint/locklint/internal/locks"
)

// tokenElsewhere returns the token where a lock is freed that other functions acquire:
// it must be the same whichever did.
func (d *draft) tokenElsewhere(m *locks.Member) (text, why string) {
	for _, cr := range d.lock.Creates {
		if d.restated(cr) {
			continue
		}
		if cr.Value.Expr == nil {
			return "", "the stored value is not one expression"
		}
		tok, why := d.tokenAcross(cr, m)
		if why != "" {
			return "", why
		}
		if text != "" && tok != text {
			return "", "the key is created with several values"
		}
		text = tok
	}
	if text == "" {
		return "", "nothing in this package stores a token under the key"
	}
	return text, ""
}

// restated reports whether the create that a call comes down to is one of the lock too.
func (d *draft) restated(cr *locks.Member) bool {
	for e := cr.Step; e != nil; e = e.Step {
		if slices.ContainsFunc(d.lock.Creates, func(o *locks.Member) bool { return o.Call != nil && o.Call == e.Call }) {
			return true
		}
	}
	return false
}

// tokenAcross returns the token in a function other than the one that creates the
// key: a field of a handle that is made for one lock, or a parameter that is called
// as the token is where it is stored.
func (d *draft) tokenAcross(cr, m *locks.Member) (string, string) {
	travel := "the token has to travel from " + cr.Fn.Name() + " to " + m.Fn.Name() + ": return it, or keep it in a handle made for each acquisition"
	e := ast.Unparen(cr.Value.Expr)
	if cr.Value.Kind != locks.ValueKept && cr.Value.Kind != locks.ValueHost && cr.Value.Kind != locks.ValueProcess || !d.comparable(e) {
		return "", travel
	}
	switch x := e.(type) {
	case *ast.SelectorExpr:
		id, ok := x.X.(*ast.Ident)
		if !ok || cr.Fn.Recv() == nil || m.Fn.Recv() != cr.Fn.Recv() || cr.Fn.Scope.Recv == nil || d.info.Uses[id] != cr.Fn.Scope.Recv {
			return "", travel
		}
		f, ok := d.info.Uses[x.Sel].(*types.Var)
		if !ok || !d.handle(cr, f) {
			return "", travel
		}
		recv := m.Fn.Scope.Recv
		if recv == nil || recv.Name() == "" || recv.Name() == "_" || d.lookup(recv.Name(), m.Pos()) != recv {
			return "", travel
		}
		for _, def := range d.res.Defs().Fields(f) {
			if decl := function(m.Effect); decl.Pos() <= def.Pos && def.Pos < decl.End() && def.Pos < m.Pos() {
				return "", travel
			}
		}
		return recv.Name() + "." + x.Sel.Name, ""
	case *ast.Ident:
		v, ok := d.info.Uses[x].(*types.Var)
		if !ok {
			return "", travel
		}
		for _, p := range m.Fn.Scope.Params {
			if p.Name() == v.Name() && types.Identical(p.Type(), v.Type()) && tokenish(p.Name()) &&
				d.lookup(p.Name(), m.Pos()) == p && d.res.Defs().Fixed(p) {
				return p.Name(), ""
			}
		}
	}
	return "", travel
}

// handle reports whether a field is the token of a handle that stands for one lock:
// the key comes from the handle too, or the field is given its value when the
// handle is made and never after.
func (d *draft) handle(cr *locks.Member, f *types.Var) bool {
	for _, def := range d.res.Defs().Fields(f) {
		// A method that has a copy sets the field of the copy.
		if fn := d.declared(def.Pos); fn != nil && fn.Recv != nil {
			if _, ptr := d.object(fn).Signature().Recv().Type().(*types.Pointer); !ptr {
				return false
			}
		}
	}
	if !cr.Key.UsesParam() && len(cr.Key.Holes()) > 0 {
		return true
	}
	for _, def := range d.res.Defs().Fields(f) {
		fn := d.declared(def.Pos)
		if fn == nil || fn.Recv != nil {
			return false
		}
	}
	return !d.res.Defs().FieldTaken(f)
}

// tokenish reports whether a name says that its variable tells holders apart.
func tokenish(name string) bool { return locks.OwnerNamed(name) }
