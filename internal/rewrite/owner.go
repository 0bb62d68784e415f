package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/edge"

	"github.com/locklint/locklint/internal/defs"
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
	if !d.comparable(e) || !d.settled(e, cr) || d.turns(e, m.Call) {
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

// comparable reports whether a value is sent as the same bytes by SET and as the
// argument of a script: a struct or a slice of strings would be taken apart.
func (d *draft) comparable(e ast.Expr) bool {
	tv := d.info.Types[e]
	if tv.Value != nil || tv.IsNil() || tv.Type == nil {
		return false
	}
	if n, ok := types.Unalias(tv.Type).(*types.Named); ok && n.Obj().Name() == "Time" && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "time" {
		return true // the one struct that is never taken apart
	}
	switch t := tv.Type.Underlying().(type) {
	case *types.Basic:
		return t.Info()&(types.IsString|types.IsInteger) != 0
	case *types.Slice:
		b, ok := t.Elem().Underlying().(*types.Basic)
		return ok && b.Kind() == types.Byte
	case *types.Array:
		obj, _, _ := types.LookupFieldOrMethod(tv.Type, false, d.pass.Pkg, "MarshalBinary")
		_, ok := obj.(*types.Func)
		return ok
	}
	return false
}

// turns reports whether a variable is another in the next turn of a loop, before what
// is deferred or runs beside at a call in this turn.
func (d *draft) turns(e ast.Expr, call *ast.CallExpr) bool {
	v := d.variable(e)
	cur, ok := d.root.FindNode(call)
	if v == nil || !ok || d.atOnce(call) {
		return false
	}
	for c := range cur.Enclosing((*ast.ForStmt)(nil), (*ast.RangeStmt)(nil)) {
		loop := c.Node()
		if loop.Pos() <= v.Pos() {
			continue // a variable of each turn
		}
		for _, x := range d.res.Defs().All(v) {
			if loop.Pos() <= x.Pos && x.Pos < loop.End() {
				return true
			}
		}
	}
	return false
}

// atBirth reports whether a field is given its value in a composite literal.
func (d *draft) atBirth(x defs.Def) bool {
	if x.Rhs == nil {
		return false
	}
	cur, ok := d.root.FindNode(x.Rhs)
	if !ok {
		return false
	}
	k, _ := cur.ParentEdge()
	return k == edge.KeyValueExpr_Value || k == edge.CompositeLit_Elts
}

// settled reports whether a variable or field keeps its value from the create on.
func (d *draft) settled(e ast.Expr, cr *locks.Member) bool {
	ok := true
	ast.Inspect(e, func(n ast.Node) bool {
		id, is := n.(*ast.Ident)
		if !is {
			return true
		}
		v, is := d.info.Uses[id].(*types.Var)
		if !is {
			return true
		}
		if v.IsField() {
			for _, x := range d.res.Defs().Fields(v) {
				fn := function(cr.Effect)
				here := fn.Pos() <= x.Pos && x.Pos < fn.End()
				if here && x.Pos > cr.Pos() || !here && !d.atBirth(x) {
					ok = false
				}
			}
			return true
		}
		if d.res.Defs().Escapes(v) && id == ast.Unparen(e) {
			ok = false
		}
		for _, x := range d.res.Defs().All(v) {
			if x.Pos > cr.Pos() {
				ok = false
			}
		}
		return true
	})
	return ok
}

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

// tokenish reports whether a name says that its variable tells holders apart.
func tokenish(name string) bool { return locks.OwnerNamed(name) }
