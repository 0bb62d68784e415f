package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/edge"

	"github.com/locklint/locklint/internal/defs"
	"github.com/locklint/locklint/internal/locks"
)

// comparable reports whether a value is sent as the same bytes by SET and as the
// argument of a script: a struct or a slice of strings would be taken apart.
func (d *draft) comparable(e ast.Expr) bool {
	tv := d.info.Types[e]
	if tv.Value != nil || tv.IsNil() || tv.Type == nil {
		return false
	}
	if n, ok := types.Unalias(tv.Type).(*types.Named); ok && n.Obj().Name() == "Time" && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "time" {
		return true // the one struct that is never taken apart
	}
	switch t := tv.Type.Underlying().(type) {
	case *types.Basic:
		return t.Info()&(types.IsString|types.IsInteger) != 0
	case *types.Slice:
		b, ok := t.Elem().Underlying().(*types.Basic)
		return ok && b.Kind() == types.Byte
	case *types.Array:
		obj, _, _ := types.LookupFieldOrMethod(tv.Type, false, d.pass.Pkg, "MarshalBinary")
		_, ok := obj.(*types.Func)
		return ok
	}
	return false
}

// turns reports whether a variable is another in the next turn of a loop, before what
// is deferred or runs beside at a call in this turn.
func (d *draft) turns(e ast.Expr, call *ast.CallExpr) bool {
	v := d.variable(e)
	cur, ok := d.root.FindNode(call)
	if v == nil || !ok || d.atOnce(call) {
		return false
	}
	for c := range cur.Enclosing((*ast.ForStmt)(nil), (*ast.RangeStmt)(nil)) {
		loop := c.Node()
		if loop.Pos() <= v.Pos() {
			continue // a variable of each turn
		}
		for _, x := range d.res.Defs().All(v) {
			if loop.Pos() <= x.Pos && x.Pos < loop.End() {
				return true
			}
		}
	}
	return false
}

// atBirth reports whether a field is given its value in a composite literal.
func (d *draft) atBirth(x defs.Def) bool {
	if x.Rhs == nil {
		return false
	}
	cur, ok := d.root.FindNode(x.Rhs)
	if !ok {
		return false
	}
	k, _ := cur.ParentEdge()
	return k == edge.KeyValueExpr_Value || k == edge.CompositeLit_Elts
}

// inOther reports whether a position stands in a func literal that another does not: it
// is not known when that runs.
func (d *draft) inOther(pos, other token.Pos) bool {
	fn := d.declared(pos)
	in := false
	if fn == nil {
		return false
	}
	ast.Inspect(fn, func(n ast.Node) bool {
		if lit, ok := n.(*ast.FuncLit); ok && lit.Pos() <= pos && pos < lit.End() && (other < lit.Pos() || lit.End() <= other) {
			in = true
		}
		return !in
	})
	return in
}

// usedAfter reports whether anything names a variable after the key is created.
func (d *draft) usedAfter(v *types.Var, cr *locks.Member) bool {
	return slices.ContainsFunc(d.uses(function(cr.Effect), v), func(id *ast.Ident) bool { return id.Pos() > cr.End() })
}

// settled reports whether a variable or field keeps its value from the create on.
func (d *draft) settled(e ast.Expr, cr *locks.Member) bool {
	ok := true
	ast.Inspect(e, func(n ast.Node) bool {
		id, is := n.(*ast.Ident)
		if !is {
			return true
		}
		v, is := d.info.Uses[id].(*types.Var)
		if !is {
			return true
		}
		if v.IsField() {
			for _, x := range d.res.Defs().Fields(v) {
				fn := function(cr.Effect)
				here := fn.Pos() <= x.Pos && x.Pos < fn.End()
				if here && x.Pos > cr.Pos() || !here && !d.atBirth(x) {
					ok = false
				}
			}
			return true
		}
		if d.res.Defs().Escapes(v) && id == ast.Unparen(e) {
			ok = false
		}
		for _, x := range d.res.Defs().All(v) {
			if x.Pos > cr.Pos() || d.inOther(x.Pos, cr.Pos()) {
				ok = false
			}
		}
		if _, slice := v.Type().Underlying().(*types.Slice); slice && d.usedAfter(v, cr) {
			ok = false // its bytes may be others
		}
		return true
	})
	return ok
}
