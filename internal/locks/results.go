package locks

import (
	"go/ast"
	"go/token"
	"go/types"

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
	// collected are the slices and maps that hold the key once it is acquired.
	collected map[*types.Var]bool
	// errTells: a function that answers no bool returns an error when the lock is
	// held.
	errTells bool
}

// results collects the variables that hold the answer of a call.
func (c *collector) results(f *Func, cr *Effect, call *ast.CallExpr) *results {
	// A call around the create that answers no error leaves the answer in variables.
	r := &results{c: c, call: call, cr: cr, own: cr.Cmd != nil && (call == cr.Call || !answersError(c.info.TypeOf(call))),
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

// answersError reports whether one of the results of a call is an error.
func answersError(t types.Type) bool {
	if tup, ok := t.(*types.Tuple); ok {
		for v := range tup.Variables() {
			if isError(v.Type()) {
				return true
			}
		}
		return false
	}
	return t == nil || isError(t)
}

// tells reports whether any result of a call says how the create ended.
func (r *results) tells() bool {
	t := r.c.info.TypeOf(r.call)
	tup, ok := t.(*types.Tuple)
	if !ok {
		return t != nil && r.typeClass(t, 0) != noResult
	}
	for i := range tup.Len() {
		if r.typeClass(t, i) != noResult {
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
		if x == r.call || x == r.cr.Call { // the latter: kept in a variable around a literal
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
