package keyexpr

import (
	"go/ast"
	"go/types"
)

// A Scope is the function in which an expression stands: its parameters are the
// ones that a summary speaks of.
type Scope struct {
	Recv   *types.Var
	Params []*types.Var
}

// ScopeOf returns the scope of a declared function.
func ScopeOf(fn *types.Func) *Scope {
	if fn == nil {
		return &Scope{}
	}
	sig := fn.Type().(*types.Signature)
	s := &Scope{Recv: sig.Recv()}
	for p := range sig.Params().Variables() {
		s.Params = append(s.Params, p)
	}
	return s
}

// index returns the number of the parameter that v is.
func (s *Scope) index(v *types.Var) int {
	if s == nil {
		return NoParam
	}
	if v == s.Recv && v != nil {
		return Recv
	}
	for i, p := range s.Params {
		if p == v {
			return i
		}
	}
	return NoParam
}

// An env is the inlining of one call of a helper.
type env struct {
	vars map[*types.Var]Key // the parameters, as the keys of the arguments
	body *ast.BlockStmt
	args string // tells calls with other arguments apart
	site string // tells all calls apart
	up   *env
}

// lookup returns the key that a parameter is bound to.
func (in *env) lookup(v *types.Var) (Key, bool) {
	for ; in != nil; in = in.up {
		if k, ok := in.vars[v]; ok {
			return k, true
		}
	}
	return Key{}, false
}

// local qualifies a variable of an inlined helper: it may hold something else in a
// call with other arguments.
func (in *env) local(v *types.Var) string {
	for ; in != nil; in = in.up {
		if in.body.Pos() <= v.Pos() && v.Pos() < in.body.End() {
			return in.args
		}
	}
	return ""
}
