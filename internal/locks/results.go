package locks

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/locklint/locklint/internal/rediscmd"
)

// A result class is which part of a create's answer an expression is.
type resultClass uint8

const (
	noResult  resultClass = iota
	cmdResult             // the command: *BoolCmd
	okResult              // true if acquired
	errResult
	statusResult // "OK" if acquired
	numResult    // 1 if acquired
	handleResult // not nil if acquired
	anyResult    // Cmd.Result of Do and Eval: nil if not acquired
)

// results knows the variables and expressions that hold the answer of a create.
type results struct {
	c    *collector
	call *ast.CallExpr
	cr   *Effect
	own  bool // call is the command itself
	oks  map[*types.Var]bool
	errs map[*types.Var]bool
	memo map[*types.Var]resultClass
	// errTells: a function that answers no bool returns an error when the lock is
	// held.
	errTells bool
}

// results collects the variables that hold the answer of a call.
func (c *collector) results(f *Func, cr *Effect, call *ast.CallExpr) *results {
	r := &results{c: c, call: call, cr: cr, own: call == cr.Call && cr.Cmd != nil,
		oks: map[*types.Var]bool{}, errs: map[*types.Var]bool{}, memo: map[*types.Var]resultClass{}}
	r.errTells = !r.own && !r.answers(c.info.TypeOf(call))
	ast.Inspect(f.Decl, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, l := range n.Lhs {
				if len(n.Rhs) == len(n.Lhs) {
					r.bind(c.defs.Var(l), n.Rhs[i], 0)
				} else if len(n.Rhs) == 1 {
					r.bind(c.defs.Var(l), n.Rhs[0], i)
				}
			}
		case *ast.ValueSpec:
			for i, l := range n.Names {
				if len(n.Values) == len(n.Names) {
					r.bind(c.defs.Var(l), n.Values[i], 0)
				} else if len(n.Values) == 1 {
					r.bind(c.defs.Var(l), n.Values[0], i)
				}
			}
		}
		return true
	})
	return r
}

// answers reports whether one of the results of a call says by itself whether the
// lock was acquired.
func (r *results) answers(t types.Type) bool {
	tup, ok := t.(*types.Tuple)
	if !ok {
		tup = types.NewTuple(types.NewVar(token.NoPos, nil, "", t))
	}
	for v := range tup.Variables() {
		if v.Type() == nil {
			continue
		}
		switch r.typeClass(v.Type(), 0) {
		case okResult, numResult, cmdResult:
			return true
		}
	}
	return false
}

func (r *results) bind(v *types.Var, rhs ast.Expr, i int) {
	if v == nil {
		return
	}
	switch cl := r.class(rhs, i, 0); cl {
	case noResult:
	case errResult:
		r.errs[v], r.memo[v] = true, cl
	default:
		r.oks[v], r.memo[v] = true, cl
	}
}

// class returns which part of the answer an expression is: the i-th value of it.
func (r *results) class(e ast.Expr, i, depth int) resultClass {
	if depth > 8 || e == nil {
		return noResult
	}
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident:
		if v := r.c.defs.Var(x); v != nil {
			return r.memo[v]
		}
	case *ast.CallExpr:
		if x == r.call {
			return r.typeClass(r.c.info.TypeOf(x), i)
		}
		sel, ok := ast.Unparen(x.Fun).(*ast.SelectorExpr)
		if !ok || r.class(sel.X, 0, depth+1) != cmdResult {
			return noResult
		}
		switch sel.Sel.Name {
		case "Err":
			return errResult
		case "Val":
			return r.valueClass(r.c.info.TypeOf(x))
		case "Result", "Bool", "Int", "Int64", "Uint64", "Text":
			t, ok := r.c.info.TypeOf(x).(*types.Tuple)
			if !ok || i >= t.Len() {
				return noResult
			}
			if i == t.Len()-1 && i > 0 {
				return errResult
			}
			return r.valueClass(t.At(0).Type())
		}
	}
	return noResult
}

func (r *results) typeClass(t types.Type, i int) resultClass {
	if tup, ok := t.(*types.Tuple); ok {
		if i >= tup.Len() {
			return noResult
		}
		return r.typeClass(tup.At(i).Type(), 0)
	}
	if t == nil {
		return noResult
	}
	if isError(t) {
		return errResult
	}
	if name := cmdName(t); name != "" {
		return cmdResult
	}
	return r.valueClass(t)
}

func (r *results) valueClass(t types.Type) resultClass {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsBoolean != 0:
			return okResult
		case u.Info()&types.IsString != 0:
			if r.own || r.cr.Kind == Read {
				return statusResult
			}
			return noResult // a token or the like
		case u.Info()&types.IsInteger != 0:
			return numResult
		}
	case *types.Interface:
		if r.own {
			return anyResult
		}
		return handleResult
	case *types.Pointer, *types.Signature:
		return handleResult
	}
	return noResult
}

// cmdName returns the name of a command type of a client library.
func cmdName(t types.Type) string {
	if p, ok := t.(*types.Pointer); ok {
		if n, ok := types.Unalias(p.Elem()).(*types.Named); ok && n.Obj().Pkg() != nil && rediscmd.LibraryOf(n.Obj().Pkg().Path()) != nil {
			return n.Obj().Name()
		}
	}
	return ""
}

func isError(t types.Type) bool {
	return types.Identical(t, types.Universe.Lookup("error").Type())
}

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
