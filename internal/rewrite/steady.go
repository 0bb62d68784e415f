package rewrite

import (
	"go/ast"
	"go/types"

	"github.com/locklint/locklint/internal/defs"
	"github.com/locklint/locklint/internal/locks"
)

// steady reports whether an expression has, where the key is created, the value it
// has at the second command: nothing it reads is assigned after the create in that
// function or, for a variable of the function, in a literal of it; and evaluating it
// calls nothing of this program, which losers would call too.
func (d *draft) steady(e ast.Expr, cr *locks.Member) bool {
	ix := d.res.Defs()
	fn := function(cr.Effect)
	after := func(all []defs.Def) bool {
		for _, x := range all {
			if fn.Pos() <= x.Pos && x.Pos < fn.End() && (x.Pos > cr.Pos() || d.inLiteral(fn, x)) {
				return true
			}
		}
		return false
	}
	ok := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			ok = ok && d.computes(n)
		case *ast.Ident:
			v, is := d.info.Uses[n].(*types.Var)
			if !is {
				return true
			}
			if v.IsField() {
				ok = ok && !after(ix.Fields(v))
			} else if all := ix.All(v); len(all) > 1 || defs.IsGlobal(v) || len(all) == 1 && all[0].Zero || isParam(fn, v) {
				ok = ok && !after(all)
			}
		}
		return ok
	})
	return ok
}

// inLiteral reports whether a definition stands in a func literal of a function:
// when it runs is not known.
func (d *draft) inLiteral(fn *ast.FuncDecl, x defs.Def) bool {
	in := false
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		lit, ok := n.(*ast.FuncLit)
		if ok && lit.Body.Pos() <= x.Pos && x.Pos < lit.Body.End() {
			in = true
		}
		return !in
	})
	return in
}

func isParam(fn *ast.FuncDecl, v *types.Var) bool {
	return fn.Type.Params.Pos() <= v.Pos() && v.Pos() < fn.Type.Params.End()
}

// computes reports whether a call only computes: a conversion, a built-in function, a
// function of package time or math.
func (d *draft) computes(call *ast.CallExpr) bool {
	if tv := d.info.Types[call.Fun]; tv.IsType() || tv.IsBuiltin() {
		return true
	}
	fn := d.called(call)
	if fn == nil {
		return false
	}
	switch fn.Pkg().Path() {
	case "time", "math", "math/rand", "math/rand/v2":
		return true
	}
	return false
}
