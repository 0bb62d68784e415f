package defs

import (
	"go/ast"
	"go/types"
)

// Keys returns the expressions that a local map is given as keys; ok is false if
// it may hold others.
func (ix *Index) Keys(e ast.Expr) (keys []ast.Expr, ok bool) {
	v := ix.Var(e)
	if v == nil || IsGlobal(v) || ix.taken[v] || ix.Given(v) {
		return nil, false
	}
	if _, isMap := v.Type().Underlying().(*types.Map); !isMap {
		return nil, false
	}
	for _, d := range ix.vars[v] {
		switch r := ast.Unparen(unnil(d.Rhs)).(type) {
		case *ast.CompositeLit:
			for _, el := range r.Elts {
				kv, isKV := el.(*ast.KeyValueExpr)
				if !isKV {
					return nil, false
				}
				keys = append(keys, kv.Key)
			}
		case *ast.CallExpr:
			if id, isID := r.Fun.(*ast.Ident); !isID || id.Name != "make" {
				return nil, false
			}
		default:
			if !d.Zero {
				return nil, false
			}
		}
	}
	return append(keys, ix.keyed[v]...), len(ix.vars[v]) > 0
}

// Elems returns the elements of a slice that is a composite literal, or a local
// that starts as one (or empty) and only grows by append. ok is false when the
// slice may hold something else.
func (ix *Index) Elems(e ast.Expr) (elems []ast.Expr, ok bool) {
	return ix.elems(e, 0)
}

func (ix *Index) elems(e ast.Expr, depth int) ([]ast.Expr, bool) {
	if depth > 5 {
		return nil, false
	}
	switch x := ast.Unparen(e).(type) {
	case *ast.CompositeLit:
		for _, el := range x.Elts {
			if _, kv := el.(*ast.KeyValueExpr); kv {
				return nil, false
			}
		}
		return x.Elts, true
	case *ast.Ident:
		if x.Name == "nil" {
			return nil, true
		}
		v := ix.Var(x)
		if v == nil || IsGlobal(v) || ix.taken[v] || ix.Given(v) || len(ix.vars[v]) == 0 {
			return nil, false
		}
		var all []ast.Expr
		for _, d := range ix.vars[v] {
			if d.Zero {
				continue
			}
			if d.Rhs == nil || d.Multi {
				return nil, false
			}
			el, ok := ix.grown(v, d.Rhs, depth)
			if !ok {
				return nil, false
			}
			all = append(all, el...)
		}
		for _, el := range ix.filled[v] {
			if el == nil {
				return nil, false
			}
			all = append(all, el)
		}
		return all, true
	case *ast.CallExpr:
		return ix.grown(nil, x, depth)
	}
	return nil, false
}

// grown returns what one assignment to the slice v adds.
func (ix *Index) grown(v *types.Var, rhs ast.Expr, depth int) ([]ast.Expr, bool) {
	call, ok := ast.Unparen(rhs).(*ast.CallExpr)
	if !ok {
		return ix.elems(rhs, depth+1)
	}
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	if !ok {
		return nil, false
	}
	if _, builtin := ix.info.Uses[id].(*types.Builtin); !builtin {
		return nil, false
	}
	switch id.Name {
	case "make":
		return nil, true
	case "append":
		if len(call.Args) == 0 || call.Ellipsis.IsValid() {
			return nil, false
		}
		if base := ix.Var(call.Args[0]); base == nil || base != v {
			el, ok := ix.elems(call.Args[0], depth+1)
			if !ok {
				return nil, false
			}
			return append(el[:len(el):len(el)], call.Args[1:]...), true
		}
		return call.Args[1:], true
	}
	return nil, false
}
