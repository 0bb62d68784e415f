package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/locklint/locklint/internal/keyexpr"
	"github.com/locklint/locklint/internal/locks"
)

// onHandle keeps the token in a new field of the type whose methods acquire and free
// the lock, where each value of the type stands for one lock: it is named after one,
// and its fields make up the whole key. The field is set when the lock was acquired,
// never by an attempt that fails. Callers that share a value among goroutines have
// to say so: the plan is a suggestion.
func (d *draft) onHandle(creates, others []*locks.Member) string {
	travel := d.travel(creates[0], others)
	typ := creates[0].Fn.Recv()
	if typ == nil || !d.res.LockNamed(typ.Name()) {
		return travel
	}
	for _, m := range slices.Concat(creates, others) {
		recv := m.Fn.Scope.Recv
		if m.Fn.Recv() != typ || recv.Name() == "" || recv.Name() == "_" || d.lookup(recv.Name(), m.Pos()) != recv || m.Derived() {
			return travel
		}
	}
	for _, cr := range creates {
		holes := cr.Key.Holes()
		if len(holes) == 0 || slices.ContainsFunc(holes, func(h *keyexpr.Hole) bool { return h.Param != keyexpr.Recv }) {
			return travel
		}
		if _, ptr := cr.Fn.Scope.Recv.Type().(*types.Pointer); !ptr {
			return travel
		}
	}
	for _, m := range others {
		// A copy of the handle has the token of when it was made: defer m.Unlock(ctx)
		// before m.Lock.
		if _, ptr := m.Fn.Scope.Recv.Type().(*types.Pointer); !ptr {
			return travel
		}
	}
	if !d.extensible(typ) || d.written(typ) {
		return travel // perhaps written without the names of the fields
	}
	if d.anew(typ, creates, others) {
		return travel
	}
	field, why := d.addField(typ, "string", "of the last acquisition")
	if why != "" {
		return why
	}
	for _, cr := range creates {
		if why := d.keepIn(cr, cr.Fn.Scope.Recv.Name()+"."+field); why != "" {
			return why
		}
	}
	for _, m := range others {
		tok := m.Fn.Scope.Recv.Name() + "." + field
		switch m.Kind {
		case locks.CheckedFree, locks.CheckedRenew:
			if m.Value.Expr == nil || !d.inside(m.Value.Expr, m.Call) || m.Value.Kind == locks.ValueKept {
				return "the release compares with something of its own"
			}
			if !d.replace(m.Value.Expr.Pos(), m.Value.Expr.End(), tok) {
				return severalFiles
			}
		default:
			if why := d.compare(m, tok); why != "" {
				return why
			}
		}
	}
	d.suggested = true
	return ""
}

// extensible reports whether no other package can write literals of a struct type
// without the names of its fields.
func (d *draft) extensible(typ *types.TypeName) bool {
	st, ok := typ.Type().Underlying().(*types.Struct)
	if !ok || !typ.Exported() {
		return ok
	}
	for f := range st.Fields() {
		if !f.Exported() {
			return true
		}
	}
	return false
}

// travel says between which functions the token is missing.
func (d *draft) travel(cr *locks.Member, others []*locks.Member) string {
	for _, m := range others {
		if m.Fn != cr.Fn {
			return "the token has to travel from " + cr.Fn.Name() + " to " + m.Fn.Name() + ": return it, or keep it in a handle made for each acquisition"
		}
	}
	return "the token has to travel on from " + cr.Fn.Name() + ": return it, or keep it in a handle made for each acquisition"
}

// structOf returns the declaration of a struct type with fields.
func (d *draft) structOf(typ *types.TypeName) (*ast.StructType, string) {
	f := d.file(typ.Pos())
	if f == nil {
		return nil, "its type is declared elsewhere"
	}
	var st *ast.StructType
	ast.Inspect(f, func(n ast.Node) bool {
		if spec, ok := n.(*ast.TypeSpec); ok && d.info.Defs[spec.Name] == typ {
			st, _ = spec.Type.(*ast.StructType)
		}
		return st == nil
	})
	if st == nil || len(st.Fields.List) == 0 {
		return nil, "its type is no struct with fields"
	}
	return st, ""
}

// keepIn makes a token before a create, stores it and, once the lock is acquired,
// keeps it in field.
func (d *draft) keepIn(cr *locks.Member, field string) string {
	e := cr.Value.Expr
	if e == nil || !d.inside(e, cr.Call) {
		return "the value is chosen in a helper"
	}
	at, why := d.common([]ast.Node{cr.Call}, []ast.Node{cr.Call})
	if why != "" {
		return why
	}
	fn := function(cr.Effect)
	name := d.fresh(fn, "token")
	text, ok := "", false
	if cr.Value.Kind == locks.ValueFresh {
		text, ok = d.carry(e, at.Pos())
		text = name + " := " + text
	} else {
		if !d.spare(cr) {
			return madeByMore
		}
		text, ok = d.freshToken(at, name, fn)
	}
	s := d.sourceAt(at.Pos())
	if !ok || s == nil {
		return "no source of tokens can be imported"
	}
	indent := s.indent(at.Pos())
	if !d.insert(at.Pos(), text+"\n"+indent) || !d.replace(e.Pos(), e.End(), name) {
		return severalFiles
	}
	set := field + " = " + name
	d.outlived(fn, e)
	u, ok := d.useOf(cr.Call)
	if !ok {
		return otherUse
	}
	guard := func(okName string) string {
		return "\n" + indent + "if " + okName + " {\n" + indent + "\t" + set + "\n" + indent + "}"
	}
	switch st := at.(type) {
	case *ast.AssignStmt:
		if len(st.Rhs) != 1 || ast.Unparen(st.Rhs[0]) != u.expr || blank(st.Lhs[0]) || u.method != "Val" && u.method != "Result" {
			return otherUse
		}
		id, ok := st.Lhs[0].(*ast.Ident)
		if ok && d.insert(s.after(st), guard(id.Name)) {
			return ""
		}
	case *ast.ReturnStmt:
		if len(st.Results) != 1 || ast.Unparen(st.Results[0]) != u.expr {
			return otherUse
		}
		okName, vars := d.fresh(fn, "ok"), ""
		switch u.method {
		case "Val":
			vars = okName
		case "Result":
			vars = okName + ", " + d.fresh(fn, "err")
		default:
			return otherUse
		}
		if d.replace(st.Pos(), st.Results[0].Pos(), vars+" := ") && d.insert(s.after(st), guard(okName)+"\n"+indent+"return "+vars) {
			return ""
		}
	case *ast.IfStmt:
		if d.leavesUnlessHeld(st, u) && d.insert(s.after(st), "\n"+indent+set) {
			return ""
		}
	}
	return otherUse
}

// leavesUnlessHeld reports whether what follows an if is for the holder alone.
func (d *draft) leavesUnlessHeld(is *ast.IfStmt, u use) bool {
	if is.Else != nil || !d.ends(is.Body.List) {
		return false
	}
	if un, ok := ast.Unparen(is.Cond).(*ast.UnaryExpr); ok && un.Op == token.NOT && is.Init == nil {
		return ast.Unparen(un.X) == u.expr && u.method == "Val"
	}
	as, ok := is.Init.(*ast.AssignStmt)
	if !ok || len(as.Lhs) != 2 || len(as.Rhs) != 1 || ast.Unparen(as.Rhs[0]) != u.expr || u.method != "Result" {
		return false
	}
	okVar, errVar := d.variable(as.Lhs[0]), d.variable(as.Lhs[1])
	a := &answer{draft: d}
	return okVar != nil && errVar != nil && a.shape(is.Cond, okVar, errVar) == notHolder
}
