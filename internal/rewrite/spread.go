package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/locklint/locklint/internal/keyexpr"
	"github.com/locklint/locklint/internal/locks"
)

const keysSlice = "the keys are a slice"

// spread frees the locks of a slice one by one. Nothing but keys of this lock may be
// in it: what else is deleted holds no token.
func (d *draft) spread(m *locks.Member, tok string) string {
	cmd := m.Cmd
	s := d.sourceAt(m.Pos())
	sel := selector(m.Call)
	if s == nil || sel == nil || !cmd.Method || len(cmd.Keys) != 1 || m.Queue != locks.NoQueue || d.hasMethod(cmd.Client, "Eval") == nil {
		return keysSlice
	}
	v := d.variable(cmd.Keys[0])
	if v == nil || !d.onlyLocks(v, m) {
		return keysSlice
	}
	u, ok := d.useOf(m.Call)
	if !ok {
		return keysSlice
	}
	stmt := u.cur.Parent()
	if k, _ := stmt.ParentEdge(); !inList(k) {
		return keysSlice
	}
	key := d.fresh(function(m.Effect), "lockKey")
	ctx := ""
	if cmd.Ctx != nil {
		ctx = s.text(cmd.Ctx) + ", "
	}
	indent := s.indent(m.Pos())
	loop := func(indent string) string {
		return "for _, " + key + " := range " + v.Name() + " {\n" + indent + "\t" +
			s.slice(m.Call.Pos(), sel.Sel.Pos()) + "Eval(" + ctx + deleteScript + ", []string{" + key + "}, " + tok + ")\n" + indent + "}"
	}
	text := ""
	switch st := stmt.Node().(type) {
	case *ast.ExprStmt:
		if u.method != "" && u.method != "Err" {
			return keysSlice
		}
		text = loop(indent)
	case *ast.DeferStmt:
		// The slice and the rest are evaluated later than before.
		if d.later(v, st.Pos()) || !d.steadyCall(m.Call) {
			return keysSlice
		}
		text = "defer func() {\n" + indent + "\t" + loop(indent+"\t") + "\n" + indent + "}()"
	default:
		return keysSlice
	}
	if !d.replace(stmt.Node().Pos(), stmt.Node().End(), text) {
		return severalFiles
	}
	return ""
}

// onlyLocks reports whether a local slice is made empty and filled with nothing but
// the keys that this lock is created under, in the same function.
func (d *draft) onlyLocks(v *types.Var, m *locks.Member) bool {
	fn := function(m.Effect)
	if v.Pos() < fn.Body.Pos() || fn.Body.End() <= v.Pos() || d.res.Defs().Escapes(v) {
		return false
	}
	filled := false
	for _, def := range d.res.Defs().All(v) {
		call, _ := ast.Unparen(orNone(def.Rhs)).(*ast.CallExpr)
		switch {
		case def.Zero:
		case call == nil || def.Multi:
			return false
		case d.builtin(call, "make"):
			if len(call.Args) < 2 || !d.isZero(call.Args[1]) {
				return false
			}
		case d.builtin(call, "append") && len(call.Args) == 2 && !call.Ellipsis.IsValid() && d.variable(call.Args[0]) == v:
			key := d.res.Fold(call.Args[1], m.Fn)
			if !key.Known() || !slices.ContainsFunc(d.lock.Creates, func(cr *locks.Member) bool {
				return cr.Fn == m.Fn && keyexpr.Same(key, cr.Key, nil)
			}) {
				return false
			}
			filled = true
		default:
			return false
		}
	}
	// An element that is set by its index, or a slice that is handed on, may be another.
	for _, id := range d.uses(fn, v) {
		c, ok := d.root.FindNode(id)
		if !ok {
			return false
		}
		switch p := c.Parent().Node().(type) {
		case *ast.CallExpr:
			if p != m.Call && !d.builtin(p, "append") && !d.builtin(p, "len") && !d.frees(p) {
				return false
			}
		case *ast.AssignStmt:
			if !slices.Contains(p.Lhs, ast.Expr(id)) {
				return false
			}
		case *ast.RangeStmt:
			if p.X != ast.Expr(id) {
				return false
			}
		default:
			return false
		}
	}
	return filled
}

// frees reports whether a call is one of those that free the lock.
func (d *draft) frees(call *ast.CallExpr) bool {
	return slices.ContainsFunc(d.lock.Frees, func(m *locks.Member) bool { return m.Call == call })
}

func (d *draft) builtin(call *ast.CallExpr, name string) bool {
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	if !ok {
		return false
	}
	b, ok := d.info.Uses[id].(*types.Builtin)
	return ok && b.Name() == name
}

func (d *draft) isZero(e ast.Expr) bool {
	v := d.info.Types[e].Value
	return v != nil && v.ExactString() == "0"
}

// later reports whether a variable is assigned after a position.
func (d *draft) later(v *types.Var, pos token.Pos) bool {
	for _, def := range d.res.Defs().All(v) {
		if def.Pos > pos {
			return true
		}
	}
	return false
}

// steadyCall reports whether the variables that a call names keep their values.
func (d *draft) steadyCall(call *ast.CallExpr) bool {
	ok := true
	ast.Inspect(call, func(n ast.Node) bool {
		if id, is := n.(*ast.Ident); is {
			if v, is := d.info.Uses[id].(*types.Var); is && !v.IsField() && d.later(v, call.Pos()) {
				ok = false
			}
		}
		return ok
	})
	return ok
}
