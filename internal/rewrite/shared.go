package rewrite

import (
	"go/ast"
	"go/types"

	"github.com/locklint/locklint/internal/keyexpr"
	"github.com/locklint/locklint/internal/locks"
)

// sharedField reports whether a token is kept in a field of the receiver that its
// methods assign, while the key is not the receiver's alone: one object then locks
// several keys, and each attempt, a losing one too, overwrites the holder's token.
func (d *draft) sharedField(cr *locks.Member, e ast.Expr) bool {
	sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
	if !ok || cr.Fn.Scope.Recv == nil || d.variable(sel.X) != cr.Fn.Scope.Recv {
		return false
	}
	f, ok := d.info.Uses[sel.Sel].(*types.Var)
	if !ok || !f.IsField() {
		return false
	}
	assigned := false
	for _, x := range d.res.Defs().Fields(f) {
		if fd := d.declared(x.Pos); fd != nil && fd.Recv != nil {
			assigned = true
		}
	}
	return assigned && !receivers(cr.Key)
}

// receivers reports whether a key is made of the receiver and constants alone.
func receivers(k keyexpr.Key) bool {
	for _, h := range k.Holes() {
		if h.Param != keyexpr.Recv && !h.Global() {
			return false
		}
	}
	return true
}
