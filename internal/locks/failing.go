package locks

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/cfg"

	"github.com/locklint/locklint/internal/defs"
)

// failing reports whether the statements around a node say that the work failed:
// the same block goes on to return an error that is made there, or answers with an
// HTTP status of 400 or more.
func (c *collector) failing(n ast.Node) bool {
	parents := c.parents(n)
	for i, p := range parents {
		var list []ast.Stmt
		switch p := p.(type) {
		case *ast.BlockStmt:
			if i+1 < len(parents) {
				switch parents[i+1].(type) {
				case *ast.FuncDecl, *ast.FuncLit:
					return false // the body itself: nothing was decided
				case *ast.ForStmt, *ast.RangeStmt:
					return false
				}
			}
			list = p.List
		case *ast.CaseClause:
			list = p.Body
		case *ast.CommClause:
			list = p.Body
		case *ast.DeferStmt, *ast.GoStmt, *ast.FuncLit:
			return false
		default:
			continue
		}
		return c.endsBadly(list, n)
	}
	return false
}

// endsBadly reports whether a list of statements that holds n fails after it, or
// answers an HTTP error.
func (c *collector) endsBadly(list []ast.Stmt, n ast.Node) bool {
	bad := false
	for _, s := range list {
		if ret, ok := s.(*ast.ReturnStmt); ok && s.Pos() >= n.End() && len(ret.Results) > 0 {
			bad = bad || c.madeError(ret.Results[len(ret.Results)-1])
		}
		if es, ok := s.(*ast.ExprStmt); ok {
			if call, ok := es.X.(*ast.CallExpr); ok {
				for _, a := range call.Args {
					bad = bad || c.httpError(a)
				}
			}
		}
	}
	return bad
}

// madeError reports whether an expression is an error that is not nil: a call that
// makes one, or a package variable.
func (c *collector) madeError(e ast.Expr) bool {
	t := c.info.TypeOf(e)
	if t == nil || !types.Implements(t, errorInterface) {
		return false
	}
	switch x := ast.Unparen(e).(type) {
	case *ast.CallExpr:
		sel, ok := ast.Unparen(x.Fun).(*ast.SelectorExpr)
		return ok && c.info.Selections[sel] == nil && has(sel.Sel.Name, []string{"new", "errorf", "error", "errors", "wrap", "wrapf", "err"})
	case *ast.UnaryExpr:
		return x.Op == token.AND
	case *ast.Ident:
		v := c.defs.Var(x)
		return v != nil && defs.IsGlobal(v)
	case *ast.SelectorExpr:
		v, ok := c.info.Uses[x.Sel].(*types.Var)
		return ok && defs.IsGlobal(v)
	}
	return false
}

var errorInterface = types.Universe.Lookup("error").Type().Underlying().(*types.Interface)

// httpError reports whether an argument is one of the constants of net/http for a
// status of 400 or more.
func (c *collector) httpError(e ast.Expr) bool {
	sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	k, ok := c.info.Uses[sel.Sel].(*types.Const)
	if !ok || k.Pkg() == nil || k.Pkg().Path() != "net/http" {
		return false
	}
	n, ok := constant.Int64Val(k.Val())
	return ok && n >= 400 && n < 600
}

// failed marks all states as those of a holder whose work failed.
func (s stateSet) failed() stateSet {
	var out stateSet
	s.each(func(x state) { out |= 1 << (x | workFailed) })
	return out
}

// givesUp reports whether a block is entered because a context ended: the case of
// a select that receives from Done(). In a loop that is how a heartbeat ends.
func (c *collector) givesUp(b *cfg.Block) bool {
	cc, ok := b.Stmt.(*ast.CommClause)
	if !ok || b.Kind != cfg.KindSelectCaseBody || cc.Comm == nil {
		return false
	}
	es, ok := cc.Comm.(*ast.ExprStmt)
	if !ok {
		return false
	}
	u, ok := ast.Unparen(es.X).(*ast.UnaryExpr)
	if !ok || u.Op != token.ARROW {
		return false
	}
	call, ok := ast.Unparen(u.X).(*ast.CallExpr)
	return ok && calleeName(call) == "Done" && !c.inLoop(&Effect{Call: call}, nil)
}
