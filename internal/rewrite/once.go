package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/locklint/locklint/internal/locks"
)

// oneHolder reports whether a token that is declared before a statement is that of one
// acquisition at a time: the next does not come before what frees the last is done, and
// nothing is freed before. creates are the nodes that acquire, frees all others that
// need the token.
func (d *draft) oneHolder(at ast.Stmt, creates, frees []ast.Node) string {
	const shared = "one token would be that of several acquisitions"
	first := token.NoPos
	several := false // keys, one each turn of a loop
	for _, cr := range creates {
		for _, place := range d.places(cr) {
			if first == token.NoPos || place.Node().Pos() < first {
				first = place.Node().Pos()
			}
			for c := range place.Enclosing() {
				n := c.Node()
				if n.Pos() < at.Pos() {
					break
				}
				if is[*ast.GoStmt](n) {
					return shared
				}
				if lit, ok := n.(*ast.FuncLit); ok && !d.inPlace(lit) {
					return shared
				}
				several = several || d.varies(cr, n)
				if repeated(n, place.Node()) && !d.varies(cr, n) && d.within(frees, n) {
					return shared
				}
			}
			if d.jumps(at, place.Node(), frees) {
				return shared
			}
		}
	}
	for _, f := range frees {
		if is[*ast.CompositeLit](f) {
			continue
		}
		beside := false
		for _, place := range d.spots(f) {
			later := false
			if id, ok := place.Node().(*ast.Ident); ok {
				if k, _ := d.edgeOf(id); k != edge.CallExpr_Fun {
					beside = true // handed on: it runs whenever somebody calls it
				}
			}
			for c := range place.Enclosing() {
				if c.Node().Pos() < at.Pos() {
					break
				}
				switch n := c.Node().(type) {
				case *ast.GoStmt:
					later, beside = true, true
				case *ast.DeferStmt:
					later = true
				case *ast.FuncLit:
					k, _ := c.ParentEdge()
					deferred := k == edge.CallExpr_Fun && is[*ast.DeferStmt](c.Parent().Parent().Node())
					if !deferred && !d.inPlace(n) {
						later, beside = true, true
					}
				}
			}
			if !later && first.IsValid() && place.Node().Pos() < first {
				return "it is freed before it is acquired: that is another's lock, or one that was left behind"
			}
		}
		if beside && len(creates) > 1 {
			return shared
		}
		if !several && !d.early(f, creates) && d.bypassed(at.Pos(), f, creates, true) {
			return "it is freed where nothing was acquired in this turn or call"
		}
	}
	return ""
}

// within reports whether one of some nodes runs in another.
func (d *draft) within(frees []ast.Node, n ast.Node) bool {
	return slices.ContainsFunc(frees, func(f ast.Node) bool {
		return slices.ContainsFunc(d.spots(f), func(c inspector.Cursor) bool { return d.inside(c.Node(), n) })
	})
}

// jumps reports whether a goto goes back to a label after a statement, over a node and
// one of the frees.
func (d *draft) jumps(at ast.Stmt, over ast.Node, frees []ast.Node) bool {
	found := false
	ast.Inspect(d.bodyAt(at.Pos()), func(n ast.Node) bool {
		b, ok := n.(*ast.BranchStmt)
		if !ok || b.Tok != token.GOTO {
			return !found
		}
		label, ok := d.info.Uses[b.Label].(*types.Label)
		if ok && at.Pos() <= label.Pos() && label.Pos() <= over.Pos() && over.Pos() < b.Pos() {
			found = d.within(frees, span{label.Pos(), b.End()})
		}
		return !found
	})
	return found
}

// repeated reports whether a node is a loop that runs another again and again.
func repeated(n, in ast.Node) bool {
	switch l := n.(type) {
	case *ast.ForStmt:
		return l.Init == nil || in.Pos() < l.Init.Pos() || l.Init.End() <= in.Pos()
	case *ast.RangeStmt:
		return l.Body.Pos() <= in.Pos()
	}
	return false
}

// varies reports whether a create takes another key in each turn of a loop.
func (d *draft) varies(create, loop ast.Node) bool {
	for _, cr := range d.lock.Creates {
		if ast.Node(cr.Call) != create {
			continue
		}
		for _, h := range cr.Key.Holes() {
			if r, ok := loop.(*ast.RangeStmt); ok && h.Var != nil && r.Pos() <= h.Var.Pos() && h.Var.Pos() < r.Body.Pos() {
				return true
			}
		}
	}
	return false
}

// places are where a node runs: itself, or the calls of the local that holds the
// literal it stands in.
func (d *draft) places(n ast.Node) []inspector.Cursor {
	return d.through(n,
		func(_ *types.Var, lit *ast.FuncLit) bool { return d.inPlace(lit) },
		func(*ast.Ident, *ast.FuncLit) bool { return true })
}

func is[T ast.Node](n ast.Node) bool {
	_, ok := n.(T)
	return ok
}

// foreign reports whether what frees the lock at a call may be meant for another's: the
// caller did not acquire it, and asked something more before.
func (d *draft) foreign(call *ast.CallExpr, creates []ast.Node) bool {
	for _, m := range slices.Concat(d.lock.Frees, d.lock.Checked) {
		if m.Call == call && m.Same && m.Path.NotAcquired() && !d.plainLoser(call, creates) {
			return true
		}
	}
	return false
}

// plainLoser reports whether a call is what everybody does who did not acquire: if !ok
// { rdb.Del(…); return }.
func (d *draft) plainLoser(call *ast.CallExpr, creates []ast.Node) bool {
	cur, ok := d.root.FindNode(call)
	if !ok {
		return false
	}
	st, ok := listed(cur)
	if !ok {
		return false
	}
	for _, s := range list(st) {
		if s == st.Node() {
			break
		}
		switch s.(type) {
		case *ast.IfStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt, *ast.ForStmt, *ast.RangeStmt:
			return d.asks(s, creates)
		}
	}
	switch outer := st.Parent().Node().(type) {
	case *ast.CaseClause:
		return len(outer.List) == 1 && d.only(outer.List[0], creates)
	case *ast.BlockStmt:
		branch, ok := st.Parent().Parent().Node().(*ast.IfStmt)
		return !ok || d.asks(branch, creates) && d.only(branch.Cond, creates)
	}
	return false
}

// only reports whether a condition is about nothing but the answer of a create.
func (d *draft) only(cond ast.Expr, creates []ast.Node) bool {
	ok := true
	ast.Inspect(cond, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			inside := slices.ContainsFunc(creates, func(cr ast.Node) bool { return d.inside(cr, n) || d.inside(n, cr) })
			ok = ok && inside
			return !inside
		case *ast.Ident:
			v, isVar := d.info.Uses[n].(*types.Var)
			if !isVar {
				return true
			}
			answer := false
			for _, def := range d.res.Defs().All(v) {
				answer = answer || def.Rhs != nil && slices.ContainsFunc(creates, func(cr ast.Node) bool { return d.inside(cr, def.Rhs) })
			}
			ok = ok && answer
		}
		return ok
	})
	return ok
}

// asks reports whether a condition is one of the answer of a create.
func (d *draft) asks(s ast.Stmt, creates []ast.Node) bool {
	is, ok := s.(*ast.IfStmt)
	if !ok {
		return false
	}
	found := false
	look := func(n ast.Node) {
		ast.Inspect(n, func(n ast.Node) bool {
			if slices.Contains(creates, n) {
				found = true
			}
			if id, ok := n.(*ast.Ident); ok {
				if v, ok := d.info.Uses[id].(*types.Var); ok {
					for _, def := range d.res.Defs().All(v) {
						found = found || def.Rhs != nil && slices.ContainsFunc(creates, func(cr ast.Node) bool { return d.inside(cr, def.Rhs) })
					}
				}
			}
			return !found
		})
	}
	if is.Init != nil {
		look(is.Init)
	}
	look(is.Cond)
	return found
}

// collected reports whether a key, or what a call is made with, is an element of
// something that others fill too: the token is that of one of them.
func (d *draft) collected(exprs []ast.Expr, scope token.Pos, fn *ast.FuncDecl) bool {
	found := false
	for _, e := range exprs {
		if e == nil {
			continue
		}
		ast.Inspect(e, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.TypeAssertExpr:
				found = true
			case *ast.Ident:
				v, ok := d.info.Uses[n].(*types.Var)
				if ok && !v.IsField() && d.element(v, scope, fn) {
					found = true
				}
			}
			return !found
		})
	}
	return found
}

// element reports whether a variable is one that a loop, or a literal that is called
// for each, gives a value out of what the function did not fill itself.
func (d *draft) element(v *types.Var, scope token.Pos, fn *ast.FuncDecl) bool {
	if v.Pos() < scope || v.Pos() >= fn.End() {
		return false
	}
	in, ok := d.root.FindNode(fn)
	if !ok {
		return true
	}
	cur, ok := in.FindByPos(v.Pos(), v.Pos()+token.Pos(len(v.Name())))
	if !ok {
		return true
	}
	for c := range cur.Enclosing() {
		switch n := c.Node().(type) {
		case *ast.RangeStmt:
			if n.Body.Pos() <= v.Pos() {
				continue
			}
			x, ok := ast.Unparen(n.X).(*ast.Ident)
			if !ok {
				return true
			}
			of, ok := d.info.Uses[x].(*types.Var)
			return !ok || of.Pos() < fn.Body.Pos() || of.Pos() >= fn.End()
		case *ast.FuncType:
			lit, ok := c.Parent().Node().(*ast.FuncLit)
			return ok && !d.inPlace(lit)
		case *ast.AssignStmt:
			for _, def := range d.res.Defs().All(v) {
				if def.Rhs != nil && d.collected([]ast.Expr{def.Rhs}, scope, fn) {
					return true
				}
			}
			return false
		case ast.Stmt:
			return false
		}
	}
	return false
}

// creating are the calls of a function that create the key.
func (d *draft) creating(fn *locks.Func) []ast.Node {
	var out []ast.Node
	for _, cr := range d.lock.Creates {
		if cr.Fn == fn {
			out = append(out, cr.Call)
		}
	}
	return out
}

// atOnce reports whether a call runs where it stands: not deferred, nor in a literal
// that is run later or beside.
func (d *draft) atOnce(call *ast.CallExpr) bool {
	cur, ok := d.root.FindNode(call)
	if !ok {
		return false
	}
	for c := range cur.Enclosing() {
		switch n := c.Node().(type) {
		case *ast.GoStmt, *ast.DeferStmt:
			return false
		case *ast.FuncLit:
			if !d.inPlace(n) {
				return false
			}
		}
	}
	return true
}

// keyOf are the expressions of a call that it takes its key from.
func keyOf(m *locks.Member) []ast.Expr {
	if m.KeyExpr == nil || m.KeyExpr.Pos() < m.Pos() || m.End() < m.KeyExpr.End() {
		return nil // an element that this function put into a slice
	}
	return []ast.Expr{m.KeyExpr}
}

// givenTo are the receiver and the arguments of a call.
func givenTo(call *ast.CallExpr) []ast.Expr {
	out := slices.Clone(call.Args)
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
		out = append(out, sel.X)
	}
	return out
}
