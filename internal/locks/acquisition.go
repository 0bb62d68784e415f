package locks

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/locklint/locklint/internal/defs"
)

// acquisitions are the creates whose result somebody looks at, or all of them if
// the key or the function is lock-named.
func (c *collector) acquisitions(l *Lock, keyNamed bool) []*Member {
	var out []*Member
	for _, m := range l.Creates {
		if c.looked(m.Effect) || c.heedless(l, m, keyNamed) {
			out = append(out, m)
		}
	}
	return out
}

// heedless reports whether a create whose result nobody looks at is an acquisition
// all the same: named after a lock. A flag that bars an account is named so too: it
// is asked for elsewhere, or set by a function that can only tell an error.
func (c *collector) heedless(l *Lock, m *Member, keyNamed bool) bool {
	if has(l.Key.Literals(), barWords) || l.asked() {
		return false
	}
	if keyNamed || m.Fn.Recv() != nil && c.lockNamed(m.Fn.Recv().Name()) {
		return true
	}
	if !c.fnNamed(m.Fn) && !c.acquires(m.Fn) {
		return false
	}
	for v := range m.Fn.Obj.Type().(*types.Signature).Results().Variables() {
		if !isError(v.Type()) {
			return true
		}
	}
	return false
}

// asked reports whether somebody asks if the key is there.
func (l *Lock) asked() bool {
	return slices.ContainsFunc(l.Others, func(m *Member) bool { return m.Kind == Inspect })
}

// looked reports whether the result of a create is looked at: anything but a
// statement of its own, or an error that does not tell.
func (c *collector) looked(e *Effect) bool {
	if e.floating {
		return e.farLooked
	}
	call := ast.Node(e.Call)
	parents := c.parents(call)
	tells := e.NoReply || e.Script // the error alone may tell who acquired
	if t := c.info.TypeOf(e.Call); t != nil && isError(t) {
		tells = true
	}
	for i := 0; i < len(parents); i++ {
		switch p := parents[i].(type) {
		case *ast.SelectorExpr:
			if i+1 < len(parents) {
				if outer, ok := parents[i+1].(*ast.CallExpr); ok && ast.Unparen(outer.Fun) == ast.Expr(p) {
					if p.Sel.Name == "Err" && !tells {
						return false
					}
					i++
					continue
				}
			}
			return true
		case *ast.ExprStmt, *ast.GoStmt, *ast.DeferStmt:
			return false
		case *ast.AssignStmt:
			if len(p.Rhs) != 1 {
				return true
			}
			for k, lhs := range p.Lhs {
				if id, ok := lhs.(*ast.Ident); ok && id.Name == "_" {
					continue
				}
				if v := c.defs.Var(lhs); v != nil && isError(v.Type()) && !tells && len(p.Lhs) > 1 && k == len(p.Lhs)-1 {
					continue
				}
				if v := c.defs.Var(lhs); v != nil && cmdName(v.Type()) != "" && !defs.IsGlobal(v) {
					return c.cmdLooked(e, v, tells)
				}
				return true
			}
			return false
		default:
			return true
		}
	}
	return true
}

// cmdLooked reports whether a kept command is asked for more than its error.
func (c *collector) cmdLooked(e *Effect, v *types.Var, tells bool) bool {
	looked := false
	ast.Inspect(e.Fn.Decl, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if ok && c.defs.Var(sel.X) == v {
			switch sel.Sel.Name {
			case "Err":
				looked = looked || tells
			case "Result":
				if as, ok := c.parentOf(c.parentOf(sel)).(*ast.AssignStmt); ok && len(as.Lhs) == 2 {
					id, blank := as.Lhs[0].(*ast.Ident)
					looked = looked || tells || !blank || id.Name != "_"
					return false
				}
				looked = true
			default:
				looked = true
			}
			return false
		}
		if id, ok := n.(*ast.Ident); ok && c.info.Uses[id] == v {
			looked = true // passed on or returned
		}
		return true
	})
	return looked
}
