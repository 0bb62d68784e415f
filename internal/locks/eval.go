package locks

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/locklint/locklint/internal/rediscmd"
	"golang.org/x/tools/go/types/typeutil"
)

// tri is a truth value that may be unknown.
type tri uint8

const (
	maybe tri = iota
	yes
	no
)

func truth(b bool) tri {
	if b {
		return yes
	}
	return no
}

func (t tri) not() tri {
	switch t {
	case yes:
		return no
	case no:
		return yes
	}
	return maybe
}

// eval evaluates a condition in a state.
func (r *results) eval(e ast.Expr, s state) tri { return r.evalAt(e, s, 0) }

func (r *results) evalAt(e ast.Expr, s state, depth int) tri {
	if depth > 12 {
		return maybe
	}
	e = ast.Unparen(e)
	if tv := r.c.info.Types[e]; tv.Value != nil && tv.Value.Kind() == constant.Bool {
		return truth(constant.BoolVal(tv.Value))
	}
	switch x := e.(type) {
	case *ast.UnaryExpr:
		if x.Op == token.NOT {
			return r.evalAt(x.X, s, depth+1).not()
		}
	case *ast.BinaryExpr:
		switch x.Op {
		case token.LAND:
			a, b := r.evalAt(x.X, s, depth+1), r.evalAt(x.Y, s, depth+1)
			switch {
			case a == no || b == no:
				return no
			case a == yes && b == yes:
				return yes
			}
			return maybe
		case token.LOR:
			a, b := r.evalAt(x.X, s, depth+1), r.evalAt(x.Y, s, depth+1)
			switch {
			case a == yes || b == yes:
				return yes
			case a == no && b == no:
				return no
			}
			return maybe
		case token.EQL, token.NEQ, token.GTR, token.LSS, token.GEQ, token.LEQ:
			return r.compare(x, s, depth)
		}
	case *ast.CallExpr:
		if v := r.isNilReply(x, s); v != maybe {
			return v
		}
	}
	if r.class(e, 0, 0) == okResult && !r.stale(e, s) {
		return truth(s.outcome() == acquired)
	}
	// acquired := err == nil && ok
	if id, ok := e.(*ast.Ident); ok {
		if d, ok := r.c.defs.Single(r.c.defs.Var(id)); ok && d.Rhs != nil && !d.Multi && isBool(r.c.info.TypeOf(id)) {
			return r.evalAt(d.Rhs, s, depth+1)
		}
	}
	return maybe
}

// stale reports whether the variable an expression reads may hold something else
// by now.
func (r *results) stale(e ast.Expr, s state) bool {
	v := r.c.defs.Var(e)
	return v != nil && (r.errs[v] && s&errStale != 0 || r.oks[v] && s&okStale != 0)
}

// compare evaluates x == y and its kin where one side is part of the answer.
func (r *results) compare(x *ast.BinaryExpr, s state, depth int) tri {
	a, b := ast.Unparen(x.X), ast.Unparen(x.Y)
	if v := r.filled(a, x.Op, b, s); v != maybe {
		return v
	}
	if r.class(a, 0, 0) == noResult {
		a, b = b, a
	}
	cl := r.class(a, 0, 0)
	if cl == noResult || r.stale(a, s) {
		return maybe
	}
	got := s.outcome() == acquired
	var equal tri
	switch cl {
	case okResult:
		if tv := r.c.info.Types[b]; tv.Value != nil && tv.Value.Kind() == constant.Bool {
			equal = truth(constant.BoolVal(tv.Value) == got)
		}
	case errResult:
		switch {
		case r.c.info.Types[b].IsNil():
			equal = r.errSet(s).not()
		case r.isRedisNil(b):
			equal = r.nilSet(s)
		}
	case handleResult, anyResult:
		if r.c.info.Types[b].IsNil() {
			equal = truth(!got)
		} else if cl == anyResult {
			equal = r.constEqual(b, got)
		}
	case statusResult:
		equal = r.constEqual(b, got)
	case numResult:
		n, ok := constant.Int64Val(constant.ToInt(orZero(r.c.info.Types[b].Value)))
		if !ok || r.c.info.Types[b].Value == nil {
			return maybe
		}
		val := int64(0)
		if got {
			val = 1
		}
		left := val
		if ast.Unparen(x.X) != a {
			left, n = n, val
		}
		return truth(constant.Compare(constant.MakeInt64(left), x.Op, constant.MakeInt64(n)))
	}
	switch x.Op {
	case token.EQL:
		return equal
	case token.NEQ:
		return equal.not()
	}
	return maybe
}

// filled evaluates len(keys) > 0 and its kin: who has acquired has collected a key.
func (r *results) filled(a ast.Expr, op token.Token, b ast.Expr, s state) tri {
	call, ok := a.(*ast.CallExpr)
	if !ok || len(r.collected) == 0 || s.outcome() != acquired || len(call.Args) != 1 || calleeName(call) != "len" || !r.collected[r.c.defs.Var(call.Args[0])] {
		return maybe
	}
	n := r.c.info.Types[b].Value
	if n == nil || n.ExactString() != "0" {
		return maybe
	}
	switch op {
	case token.GTR, token.NEQ:
		return yes
	case token.EQL, token.LEQ:
		return no
	}
	return maybe
}

func orZero(v constant.Value) constant.Value {
	if v == nil {
		return constant.MakeInt64(0)
	}
	return v
}

// constEqual: "OK" and 1 are answered to who acquired, "" and 0 to who did not.
func (r *results) constEqual(b ast.Expr, got bool) tri {
	v := r.c.info.Types[r.c.defs.Resolve(b)].Value
	if v == nil {
		return maybe
	}
	switch v.Kind() {
	case constant.String:
		switch constant.StringVal(v) {
		case "OK":
			return truth(got)
		case "":
			return truth(!got)
		}
	case constant.Int:
		if n, ok := constant.Int64Val(v); ok {
			return truth((n != 0) == got)
		}
	}
	return maybe
}

// nilSet reports whether the error is redis.Nil in a state: the answer of SET NX to
// who finds the key held. What a script answers is its own affair.
func (r *results) nilSet(s state) tri {
	switch {
	case s.outcome() != held || !r.own:
		return no
	case r.cr.Script:
		return maybe
	}
	return truth(r.cr.NoReply)
}

// errSet reports whether the error is not nil in a state.
func (r *results) errSet(s state) tri {
	switch s.outcome() {
	case failed:
		return yes
	case held:
		if r.errTells {
			return yes
		}
		return r.nilSet(s)
	}
	return no
}

// isNilReply evaluates errors.Is(err, redis.Nil).
func (r *results) isNilReply(x *ast.CallExpr, s state) tri {
	fn, ok := typeutil.Callee(r.c.info, x).(*types.Func)
	if !ok || fn.FullName() != "errors.Is" || len(x.Args) != 2 || !r.isRedisNil(x.Args[1]) {
		return maybe
	}
	if r.class(x.Args[0], 0, 0) != errResult || r.stale(x.Args[0], s) {
		return maybe
	}
	return r.nilSet(s)
}

func (r *results) isRedisNil(e ast.Expr) bool {
	sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "Nil" {
		return false
	}
	o := r.c.info.Uses[sel.Sel]
	return o != nil && o.Pkg() != nil && rediscmd.LibraryOf(o.Pkg().Path()) != nil
}
