package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/locklint/locklint/internal/defs"
	"github.com/locklint/locklint/internal/locks"
)

// oneEach reports whether each acquisition hands out a handle of its own, the one that
// was made for it, and whether nothing acquires for a handle that has a token already.
func (k *made) oneEach(d *draft) bool {
	for _, cr := range d.lock.Creates {
		decl := function(cr.Effect)
		lits := k.in(decl)
		if len(lits) == 0 {
			if !k.below(d, cr) && !k.decidedByCalls(d, cr) {
				return false
			}
			continue
		}
		if !k.returnsOwn(d, decl) || slices.ContainsFunc(lits, func(lit *ast.CompositeLit) bool { return d.reused(cr, lit) }) {
			return false
		}
	}
	return true
}

// below reports whether a create, or one that its call comes down to, stores what the
// handle has, or makes the handle.
func (k *made) below(d *draft, cr *locks.Member) bool {
	for e := cr.Effect; e != nil; e = e.Step {
		if e.Fn == nil || e.Fn.Decl == nil {
			return false
		}
		if f := k.storesOwn(d, e); f != nil {
			k.again = append(k.again, f)
			return true
		}
		if len(k.in(e.Fn.Decl)) > 0 {
			return true
		}
	}
	return false
}

// storesOwn returns the field of a handle that a create stores: the handle that it
// acquires again for.
func (k *made) storesOwn(d *draft, cr *locks.Effect) *types.Var {
	sel, ok := ast.Unparen(orNone(cr.Value.Expr)).(*ast.SelectorExpr)
	if !ok || cr.Derived() && !cr.ValueSupplied() {
		return nil
	}
	v := d.variable(sel.X)
	if v == nil || v != cr.Fn.Scope.Recv && !slices.Contains(cr.Fn.Scope.Params, v) || named(v.Type()) != k.typ || !d.res.Defs().Fixed(v) {
		return nil
	}
	f, _ := d.info.Uses[sel.Sel].(*types.Var)
	return f
}

// decidedByCalls reports whether a create stands in a function whose calls are creates
// of the lock too. A method of the handle that all can call may acquire without them.
func (k *made) decidedByCalls(d *draft, cr *locks.Member) bool {
	if cr.Fn.Recv() == k.typ && cr.Fn.Obj.Exported() {
		return false
	}
	for _, o := range d.lock.Creates {
		for e := o.Step; e != nil; e = e.Step {
			if e.Call != nil && e.Call == cr.Call {
				return true
			}
		}
	}
	return false
}

// returnsOwn reports whether what a function returns, or sends, after it acquired is
// the handle that it made: not one that it kept from an earlier acquisition.
func (k *made) returnsOwn(d *draft, decl *ast.FuncDecl) bool {
	ok := true
	var results []types.Object // with names
	if list := decl.Type.Results; list != nil {
		for _, field := range list.List {
			for _, name := range field.Names {
				results = append(results, d.info.Defs[name])
			}
		}
	}
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ReturnStmt:
			if !d.afterCreate(decl, n) {
				return true
			}
			for _, e := range n.Results {
				ok = ok && k.own(d, e)
			}
			if len(n.Results) == 0 && !d.inLit(decl, n) {
				for _, obj := range results {
					v, is := obj.(*types.Var)
					ok = ok && (!is || !k.handle(v.Type()) || k.holdsOwn(d, v))
				}
			}
		case *ast.SendStmt:
			ok = ok && (!d.afterCreate(decl, n) || k.own(d, n.Value))
		}
		return ok
	})
	return ok
}

// afterCreate reports whether a statement may run after a function acquired.
func (d *draft) afterCreate(decl *ast.FuncDecl, st ast.Stmt) bool {
	cur, ok := d.root.FindNode(st)
	if !ok {
		return true
	}
	for _, cr := range d.lock.Creates {
		if function(cr.Effect) != decl {
			continue
		}
		if cr.Pos() < st.End() || d.inLit(decl, cr.Call) {
			return true
		}
		for c := range cur.Enclosing((*ast.ForStmt)(nil), (*ast.RangeStmt)(nil)) {
			if d.inside(cr.Call, c.Node()) {
				return true
			}
		}
	}
	return false
}

// handle reports whether a value of a type can be a handle: or hold one, if it is an
// interface.
func (k *made) handle(t types.Type) bool {
	if t == nil {
		return false
	}
	if tuple, ok := t.(*types.Tuple); ok {
		for v := range tuple.Variables() {
			if k.handle(v.Type()) {
				return true
			}
		}
		return false
	}
	if i, ok := types.Unalias(t).Underlying().(*types.Interface); ok {
		return types.Implements(types.NewPointer(k.typ.Type()), i)
	}
	return named(t) == k.typ
}

// own reports whether an expression is no handle, or the one that was made here.
func (k *made) own(d *draft, e ast.Expr) bool {
	e = ast.Unparen(e)
	if tv := d.info.Types[e]; tv.IsNil() || !k.handle(tv.Type) {
		return true
	}
	switch x := e.(type) {
	case *ast.UnaryExpr:
		return x.Op == token.AND && k.own(d, x.X)
	case *ast.StarExpr:
		return k.own(d, x.X)
	case *ast.CompositeLit:
		return true
	case *ast.CallExpr:
		fn, _ := typeutil.Callee(d.info, x).(*types.Func)
		if fn == nil {
			return false
		}
		callee := d.declaration(fn.Origin()) // that acquires and makes one itself
		return callee != nil && len(k.in(callee)) > 0
	case *ast.Ident:
		v := d.variable(x)
		return v != nil && !defs.IsGlobal(v) && k.holdsOwn(d, v)
	}
	return false
}

// holdsOwn reports whether a local is set once, to a literal of the handle.
func (k *made) holdsOwn(d *draft, v *types.Var) bool {
	if defs.IsGlobal(v) || d.res.Defs().Escapes(v) && !k.byValue(v) {
		return false
	}
	set := 0
	for _, def := range d.res.Defs().All(v) {
		if def.Zero || def.Rhs != nil && d.info.Types[def.Rhs].IsNil() {
			continue
		}
		e := ast.Unparen(orNone(def.Rhs))
		if un, ok := e.(*ast.UnaryExpr); ok && un.Op == token.AND {
			e = ast.Unparen(un.X)
		}
		if _, ok := e.(*ast.CompositeLit); !ok {
			return false
		}
		set++
	}
	return set <= 1 && !d.res.Defs().Given(v)
}

// byValue reports whether a variable is a handle, not a pointer to one: its address is
// how it is handed out.
func (k *made) byValue(v *types.Var) bool {
	_, ptr := types.Unalias(v.Type()).(*types.Pointer)
	return !ptr
}

// reused reports whether a handle that is made before a loop, or outside of a literal
// that runs again and again, serves what is acquired there more than once. A loop that
// the handle leaves, tries until it acquired.
func (d *draft) reused(cr *locks.Member, lit *ast.CompositeLit) bool {
	decl := function(cr.Effect)
	for _, place := range d.places(cr.Call) {
		for c := range place.Enclosing() {
			n := c.Node()
			if n == ast.Node(decl) || d.inside(lit, n) {
				break
			}
			if f, ok := n.(*ast.FuncLit); ok && !d.inPlace(f) {
				return true
			}
			if repeated(n, place.Node()) && lit.Pos() < n.Pos() && !d.leavesWith(decl, lit, c) {
				return true
			}
		}
	}
	return false
}

// leavesWith reports whether a loop ends where it uses the handle that was made before.
func (d *draft) leavesWith(decl *ast.FuncDecl, lit *ast.CompositeLit, loop inspector.Cursor) bool {
	known, ok := false, true
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		id, is := n.(*ast.Ident)
		if !is || d.info.Uses[id] == nil || !d.is(id, lit) {
			return ok
		}
		known = true
		cur, found := d.root.FindNode(id)
		ok = ok && found && d.useEnds(cur, loop)
		return ok
	})
	return known && ok
}

// useEnds reports whether one use of a handle is right for a single acquisition that a
// loop tries for.
func (d *draft) useEnds(use, loop inspector.Cursor) bool {
	switch p := use.Parent().Node().(type) {
	case *ast.SelectorExpr:
		if s := d.info.Selections[p]; s != nil && s.Kind() == types.FieldVal {
			return true
		}
	case *ast.BinaryExpr:
		return true // l != nil
	}
	for _, cr := range d.lock.Creates {
		if d.inside(use.Node().(ast.Expr), cr.Call) {
			return true
		}
	}
	pos, l := use.Node().Pos(), loop.Node()
	switch {
	case l.End() <= pos:
		return true
	case pos < l.Pos():
		for c := range use.Enclosing((*ast.DeferStmt)(nil)) {
			return !d.inside(c.Node().(*ast.DeferStmt).Call, l)
		}
		return false
	}
	return leaves(use, loop)
}

// leaves reports whether nothing but the end of a loop follows on a node in it.
func leaves(from, loop inspector.Cursor) bool {
	out, bound := false, false // bound: a break would be one of something inside
	for c := range from.Enclosing() {
		n := c.Node()
		if n == loop.Node() {
			break
		}
		switch n.(type) {
		case *ast.FuncLit:
			out, bound = false, false
			continue
		case *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
			bound = true
		}
		if k, _ := c.ParentEdge(); !inList(k) {
			continue
		}
		stmts := list(c)
		rest := stmts[max(0, slices.Index(stmts, n.(ast.Stmt))):]
		switch last := rest[len(rest)-1].(type) {
		case *ast.ReturnStmt:
			out = out || !turnsAgain(rest)
		case *ast.BranchStmt:
			label, _ := loop.Parent().Node().(*ast.LabeledStmt)
			ends := last.Label == nil && !bound || last.Label != nil && label != nil && last.Label.Name == label.Label.Name
			out = out || last.Tok == token.BREAK && ends && !turnsAgain(rest)
		}
	}
	return out
}

// turnsAgain reports whether statements hold one that starts the next turn of a loop.
func turnsAgain(stmts []ast.Stmt) bool {
	found := false
	for _, s := range stmts {
		ast.Inspect(s, func(n ast.Node) bool {
			b, ok := n.(*ast.BranchStmt)
			found = found || ok && (b.Tok == token.CONTINUE || b.Tok == token.GOTO)
			return !found
		})
	}
	return found
}
