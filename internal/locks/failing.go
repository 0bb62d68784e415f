package locks

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/cfg"
	"golang.org/x/tools/go/types/typeutil"

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

// fails reports whether a condition taken that way means that something else
// than the create failed: err != nil, !done, !publish().
func (r *results) fails(e ast.Expr, taken bool, s state) bool {
	e = ast.Unparen(e)
	switch x := e.(type) {
	case *ast.UnaryExpr:
		if x.Op == token.NOT {
			return r.fails(x.X, !taken, s)
		}
	case *ast.BinaryExpr:
		switch x.Op {
		case token.LAND:
			if taken {
				return r.fails(x.X, true, s) || r.fails(x.Y, true, s)
			}
			return r.fails(x.X, false, s) && r.fails(x.Y, false, s)
		case token.LOR:
			if taken {
				// What cannot hold here decides nothing.
				l, m := r.eval(x.X, s), r.eval(x.Y, s)
				return (l == no || r.fails(x.X, true, s)) && (m == no || r.fails(x.Y, true, s))
			}
			return r.fails(x.X, false, s) || r.fails(x.Y, false, s)
		case token.GTR:
			v := r.c.info.Types[x.Y].Value
			if v == nil || v.ExactString() != "0" {
				return false
			}
			name := types.ExprString(x.X)
			return has(name, failureWords) && taken || has(name, successWords) && !taken
		case token.EQL, token.NEQ:
			a, b := x.X, x.Y
			if v := r.c.info.Types[b].Value; v != nil && v.ExactString() == "0" {
				// sent == 0, failures != 0
				name := types.ExprString(a)
				return has(name, successWords) && taken == (x.Op == token.EQL) || has(name, failureWords) && taken == (x.Op == token.NEQ)
			}
			if !r.c.info.Types[b].IsNil() {
				a, b = b, a
			}
			if !r.c.info.Types[b].IsNil() {
				return false
			}
			bad := taken == (x.Op == token.NEQ)
			if call, ok := ast.Unparen(a).(*ast.CallExpr); ok && calleeName(call) == "recover" {
				return bad
			}
			t := r.c.info.TypeOf(a)
			if v := r.c.defs.Var(a); v != nil && t != nil {
				if _, ok := t.Underlying().(*types.Interface); ok && recovered(r.c, v) {
					return bad
				}
			}
			if t == nil || !isError(t) {
				return false
			}
			return bad
		}
	case *ast.Ident:
		v := r.c.defs.Var(x)
		if v == nil || !isBool(v.Type()) || r.oks[v] {
			return false
		}
		if has(x.Name, failureWords) {
			return taken
		}
		if has(x.Name, successWords) {
			return !taken
		}
		// A flag that starts false and is set at the end.
		return !taken && flag(r.c, v)
	case *ast.CallExpr:
		// if !enqueue(x): a call that answers whether it worked.
		if t := r.c.info.TypeOf(x); t != nil && isBool(t) && !taken {
			return has(calleeName(x), []string{"send", "publish", "enqueue", "push", "save", "store", "process", "handle", "run", "do", "execute", "submit", "create", "insert"})
		}
		if fn, ok := typeutil.Callee(r.c.info, x).(*types.Func); ok && (fn.FullName() == "errors.Is" || fn.FullName() == "errors.As") && taken {
			return true
		}
	}
	return false
}

// What flags and counters of failure and of success are called.
var (
	failureWords = []string{"fail", "failed", "failure", "failures", "err", "errs", "errors", "errored", "rollback", "panicked", "aborted"}
	successWords = []string{
		"success", "successes", "succeeded", "done", "ok", "committed", "completed", "finished", "sent", "published",
		"handled", "saved", "succ", "delivered",
	}
)

// recovered reports whether a variable holds what recover returned.
func recovered(c *collector, v *types.Var) bool {
	d, ok := c.defs.Single(v)
	if !ok || d.Rhs == nil {
		return false
	}
	call, ok := ast.Unparen(d.Rhs).(*ast.CallExpr)
	return ok && calleeName(call) == "recover"
}

// flag reports whether a bool starts false and is set true later.
func flag(c *collector, v *types.Var) bool {
	all := c.defs.All(v)
	if len(all) < 2 {
		return false
	}
	isConst := func(e ast.Expr, want bool) bool {
		tv := c.info.Types[e]
		return tv.Value != nil && tv.Value.Kind() == constant.Bool && constant.BoolVal(tv.Value) == want
	}
	if d := all[0]; !d.Zero && (d.Rhs == nil || !isConst(d.Rhs, false)) {
		return false
	}
	for _, d := range all[1:] {
		if d.Rhs == nil || !isConst(d.Rhs, true) {
			return false
		}
	}
	return true
}
