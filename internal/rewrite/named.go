package rewrite

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/locklint/locklint/internal/defs"
	"github.com/locklint/locklint/internal/locks"
)

const namedElsewhere = "its value is named elsewhere in the package: what compares it would fail"

// spokenOf reports whether the package names a constant or variable that the lock
// stores in other places than the creates and checks of locks that store it: who
// compares with it there knows the holder by it.
func (d *draft) spokenOf() bool {
	for _, obj := range d.stored(d.lock) {
		var known []ast.Expr
		for _, l := range d.res.Locks {
			if slices.Contains(d.stored(l), obj) {
				known = append(known, d.values(l)...)
			}
		}
		for _, f := range d.pass.Files {
			if isTest(d.pass.Fset.File(f.FileStart).Name()) {
				continue // a test of the value fails once it is another: that is seen
			}
			for _, id := range d.uses(f, obj) {
				if !d.assigned(id) && !slices.ContainsFunc(known, func(e ast.Expr) bool { return d.inside(id, e) }) {
					return true
				}
			}
		}
		if obj.Pkg() != d.pass.Pkg {
			continue
		}
		if d.namedBeyond(obj.Pos(), map[string]bool{obj.Name(): true}, false) || obj.Exported() && d.elsewhere(obj.Pos(), d.pass.Pkg.Name()+"."+obj.Name()) {
			return true
		}
	}
	return false
}

// stored are the constants and variables of a package that the creates of a lock
// store, by themselves.
func (d *draft) stored(l *locks.Lock) []types.Object {
	var out []types.Object
	for _, cr := range l.Creates {
		for _, v := range slices.Concat([]locks.Value{cr.Value}, cr.Supplies) {
			for _, e := range d.origins(v.Expr, 0) {
				if obj := d.global(e); obj != nil && !slices.Contains(out, obj) {
					out = append(out, obj)
				}
			}
		}
	}
	return out
}

// values are the expressions of a lock's creates and checks that give the value, and
// those that make up its keys.
func (d *draft) values(l *locks.Lock) []ast.Expr {
	var out []ast.Expr
	add := func(e ast.Expr) { out = append(out, d.origins(e, 0)...) }
	for _, m := range l.Members() {
		if m.KeyExpr != nil {
			add(m.KeyExpr)
		}
		switch m.Kind {
		case locks.Create, locks.CheckedFree, locks.CheckedRenew:
			add(m.Value.Expr)
			for _, v := range m.Supplies {
				add(v.Expr)
			}
		}
		if raced := m.Raced(); raced != nil {
			add(d.res.Owner(raced))
		}
	}
	return out
}

// origins are an expression and what gives the local or field that it names its value.
func (d *draft) origins(e ast.Expr, depth int) []ast.Expr {
	if e == nil || depth > 3 {
		return nil
	}
	out := []ast.Expr{e}
	var all []defs.Def
	switch x := d.converted(e).(type) {
	case *ast.Ident:
		if v := d.variable(x); v != nil && !defs.IsGlobal(v) {
			all = d.res.Defs().All(v)
		}
	case *ast.SelectorExpr:
		if v, ok := d.info.Uses[x.Sel].(*types.Var); ok && v.IsField() {
			all = d.res.Defs().Fields(v)
		}
	}
	for _, def := range all {
		out = append(out, d.origins(def.Rhs, depth+1)...)
	}
	return out
}

// converted is an expression without parentheses and conversions.
func (d *draft) converted(e ast.Expr) ast.Expr {
	for {
		e = ast.Unparen(e)
		call, ok := e.(*ast.CallExpr)
		if !ok || len(call.Args) != 1 || !d.info.Types[call.Fun].IsType() {
			return e
		}
		e = call.Args[0]
	}
}

// global returns the constant or variable of a package that an expression names.
func (d *draft) global(e ast.Expr) types.Object {
	var id *ast.Ident
	switch x := d.converted(e).(type) {
	case *ast.Ident:
		id = x
	case *ast.SelectorExpr:
		id = x.Sel
	default:
		return nil
	}
	obj := d.info.Uses[id]
	switch obj.(type) {
	case *types.Const, *types.Var:
		if obj.Pkg() != nil && obj.Parent() == obj.Pkg().Scope() {
			return obj
		}
	}
	return nil
}

// assigned reports whether a name stands where it is given a value.
func (d *draft) assigned(id *ast.Ident) bool {
	cur, ok := d.root.FindNode(id)
	if !ok {
		return false
	}
	as, ok := cur.Parent().Node().(*ast.AssignStmt)
	return ok && slices.Contains(as.Lhs, ast.Expr(id))
}
