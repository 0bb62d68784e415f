package rewrite

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/edge"

	"github.com/locklint/locklint/internal/locks"
	"github.com/locklint/locklint/internal/rediscmd"
)

// derived turns the call of a helper that does no more than delete or expire its key
// into a script on the helper's client, where that can be reached from the caller.
func (d *draft) derived(m *locks.Member, tok string) string {
	helper := d.inHelper(m)
	step := m.Step
	if step == nil || step.Fn == nil || step.Cmd == nil || step.Step != nil || m.At != m.Effect || m.KeyExpr == nil || !d.inside(m.KeyExpr, m.Call) || len(step.Fn.Effects) != 1 || m.Call.Ellipsis.IsValid() || d.dispatched(m.Call) {
		return helper
	}
	cmd := step.Cmd
	s := d.sourceAt(m.Pos())
	if s == nil {
		return severalFiles
	}
	if cmd.Conn != rediscmd.Direct || !cmd.Method || len(cmd.Keys) != 1 || cmd.Spread && !d.handsOn(m) || !d.simple(step) || len(m.Call.Args) == 0 {
		return helper
	}
	client, ok := d.bring(cmd.Client, step, m)
	if !ok {
		return helper
	}
	eval := d.hasMethod(cmd.Client, "Eval")
	if eval == nil || !d.evaluates(eval, cmd) {
		return "its client has no Eval"
	}
	args := ""
	if cmd.Ctx != nil {
		ctx, ok := d.bring(cmd.Ctx, step, m)
		if !ok {
			return helper
		}
		args = ctx + ", "
	}
	script, more := deleteScript, ""
	switch {
	case m.Kind == locks.Free && cmd.Verb == rediscmd.Del:
	case m.Kind == locks.Expire && cmd.Verb == rediscmd.Expire && m.OnlyIf == "" && !cmd.TTL.At:
		ttl, ok := d.bring(cmd.TTL.Expr, step, m)
		if !ok || !isDuration(d.info.TypeOf(cmd.TTL.Expr)) {
			return helper
		}
		script, more = expireScript, ", "+paren(ttl)+".Milliseconds()"
	default:
		return helper
	}
	if !d.lossless(m, cmd.Client, cmd.Ctx, cmd.TTL.Expr) {
		return helper
	}
	suffix, why := d.helperAnswer(m, eval)
	if why != "" {
		return why
	}
	text := client + ".Eval(" + args + script + ", []string{" + s.text(m.KeyExpr) + "}, " + tok + more + ")" + suffix
	if !d.replace(m.Call.Pos(), m.Call.End(), text) {
		return severalFiles
	}
	return ""
}

// handsOn reports whether a helper passes its variadic keys on, and is called with one:
// func (s *store) Del(ctx context.Context, keys ...string) error.
func (d *draft) handsOn(m *locks.Member) bool {
	fn := m.Step.Fn
	params := fn.Scope.Params
	v := d.variable(m.Step.Cmd.Keys[0])
	return fn.Obj.Signature().Variadic() && v != nil && v == params[len(params)-1] && d.res.Defs().Fixed(v) &&
		len(m.Call.Args) == len(params) && m.KeyExpr == m.Call.Args[len(params)-1]
}

// lossless reports whether a call can give way to the command of its helper: what
// the command does not use of the arguments does nothing, and what it uses twice gives
// the same.
func (d *draft) lossless(m *locks.Member, used ...ast.Expr) bool {
	if sel := selector(m.Call); sel != nil && d.info.Selections[sel] != nil && !d.twice(sel.X) {
		return false
	}
	params := m.Step.Fn.Scope.Params
	for i, arg := range m.Call.Args {
		if arg == m.KeyExpr || i >= len(params) {
			continue
		}
		n := 0
		for _, e := range used {
			if e != nil {
				n += len(d.uses(e, params[i]))
			}
		}
		if n == 0 && !d.idle(arg) || n > 1 && !d.twice(arg) {
			return false
		}
	}
	return true
}

// simple reports whether the body of a helper is the command and the return of its
// answer, with nothing around it: an error that is wrapped, a command that is tried
// again or logged would be lost.
func (d *draft) simple(step *locks.Effect) bool {
	body := step.Fn.Decl.Body.List
	if len(body) != 1 {
		return false
	}
	u, ok := d.useOf(step.Call)
	if !ok || !slices.Contains([]string{"", "Err", "Result", "Val"}, u.method) {
		return false
	}
	switch st := u.cur.Parent().Node().(type) {
	case *ast.ExprStmt:
		return st == body[0]
	case *ast.ReturnStmt:
		return st == body[0] && len(st.Results) == 1
	}
	return false
}

// bring writes an expression of a helper as it reads at the call: parameters and the
// receiver replaced by what the call gives.
func (d *draft) bring(e ast.Expr, step *locks.Effect, m *locks.Member) (string, bool) {
	s := d.sourceAt(m.Pos())
	if e == nil || s == nil {
		return "", false
	}
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, ok := d.info.Uses[x].(*types.Var)
		if !ok {
			break
		}
		if !d.res.Defs().Fixed(v) && v.Parent() != d.pass.Pkg.Scope() {
			return "", false
		}
		if v == step.Fn.Scope.Recv && v != nil {
			sel := selector(m.Call)
			if sel == nil || d.info.Selections[sel] == nil || !isName(sel.X) {
				return "", false
			}
			// A method promoted from an embedded field would need the path to it.
			if len(d.info.Selections[sel].Index()) != 1 {
				return "", false
			}
			return s.text(sel.X), true
		}
		for i, p := range step.Fn.Scope.Params {
			if p == v {
				if i >= len(m.Call.Args) || i == len(step.Fn.Scope.Params)-1 && step.Fn.Obj.Signature().Variadic() {
					return "", false
				}
				return s.text(m.Call.Args[i]), true
			}
		}
	case *ast.SelectorExpr:
		if d.info.Selections[x] != nil {
			base, ok := d.bring(x.X, step, m)
			return base + "." + x.Sel.Name, ok
		}
	case *ast.CallExpr:
		// s.client() of the helper's receiver.
		if sel := selector(x); sel != nil && len(x.Args) == 0 && d.info.Selections[sel] != nil {
			base, ok := d.bring(sel.X, step, m)
			return base + "." + sel.Sel.Name + "()", ok
		}
	}
	text, ok := d.carry(e, m.Pos())
	return text, ok
}

// helperAnswer is the method that gives the answer of the script as the helper did.
func (d *draft) helperAnswer(m *locks.Member, eval *types.Func) (string, string) {
	cur, ok := d.root.FindNode(m.Call)
	if !ok {
		return "", otherAnswer(m)
	}
	switch k, _ := cur.ParentEdge(); k {
	case edge.ExprStmt_X, edge.DeferStmt_Call, edge.GoStmt_Call:
		return "", ""
	}
	switch t := d.info.TypeOf(m.Call).(type) {
	case *types.Tuple:
		if t.Len() == 2 && isError(t.At(1).Type()) {
			if b, ok := t.At(0).Type().(*types.Basic); ok {
				switch {
				case b.Kind() == types.Int64:
					return ".Int64()", ""
				case b.Kind() == types.Bool && m.Kind == locks.Expire:
					return ".Bool()", ""
				}
			}
		}
	case nil:
	default:
		if isError(t) {
			return ".Err()", ""
		}
	}
	return "", otherAnswer(m)
}
