// Package defs tells where the variables, fields and func values of a package
// get their values. The layers above use it to see through locals that are
// assigned once.
package defs

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// A Def is one place that gives a variable or a field its value.
type Def struct {
	Rhs   ast.Expr // nil if the value is not an expression (range, x++, op=)
	Index int      // which result of Rhs, where Rhs is a call with several
	Multi bool     // Rhs gives several values
	Range *ast.RangeStmt
	Key   bool      // of Range: the key, not the value
	Pos   token.Pos // where the assignment stands
	Zero  bool      // declared without a value
	Param bool      // bound by the call of a func literal
	Top   bool      // a statement of the body of the variable's function: it always runs
	End   token.Pos
}

// Index holds the definitions of one package.
type Index struct {
	info   *types.Info
	vars   map[*types.Var][]Def
	fields map[*types.Var][]Def // by field: assignments and composite literals
	taken  map[*types.Var]bool  // address taken, or assigned in a way not followed
	// set holds, for a struct variable, the assignments to its fields.
	set map[*types.Var]map[string][]Def
	// keyed holds the keys that are put into a map variable.
	keyed map[*types.Var][]ast.Expr
	// filled holds what is put into a slice variable by its index.
	filled map[*types.Var][]ast.Expr
	top    map[ast.Stmt]ast.Node          // by statement of a function's own body: the function
	calls  map[*types.Var][]*ast.CallExpr // calls of func-valued variables
}

// Var returns the variable an expression names, nil if it names none.
func (ix *Index) Var(e ast.Expr) *types.Var {
	id, ok := ast.Unparen(unnil(e)).(*ast.Ident)
	if !ok || id.Name == "_" {
		return nil
	}
	v, _ := ix.info.ObjectOf(id).(*types.Var)
	return v
}

// unnil stands in for an expression that is not there, which ast.Unparen cannot take.
func unnil(e ast.Expr) ast.Expr {
	if e == nil {
		return &ast.BadExpr{}
	}
	return e
}

// field returns the field a selector names, in its generic origin.
func (ix *Index) field(sel *ast.SelectorExpr) *types.Var {
	if s := ix.info.Selections[sel]; s != nil && s.Kind() == types.FieldVal {
		return s.Obj().(*types.Var).Origin()
	}
	return nil
}

// root returns the variable at the left end of a selector chain.
func (ix *Index) root(e ast.Expr) *types.Var {
	for {
		switch x := ast.Unparen(unnil(e)).(type) {
		case *ast.Ident:
			return ix.Var(x)
		case *ast.SelectorExpr:
			if ix.info.Selections[x] == nil { // pkg.Var
				v, _ := ix.info.Uses[x.Sel].(*types.Var)
				return v
			}
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		default:
			return nil
		}
	}
}

// All returns every definition of a variable that is seen; a parameter may be Given
// another one.
func (ix *Index) All(v *types.Var) []Def { return ix.vars[v] }

// Escapes reports whether the address of v is taken, so that its value may change
// out of sight.
func (ix *Index) Escapes(v *types.Var) bool { return ix.taken[v] }

// Single returns the one definition of a variable that has exactly one and whose
// address is never taken. A declaration without a value followed by one assignment
// counts as single too; an assignment to a parameter does not, since the parameter
// has the caller's value besides.
func (ix *Index) Single(v *types.Var) (Def, bool) {
	if v == nil || ix.taken[v] {
		return Def{}, false
	}
	defs := ix.vars[v]
	if len(defs) == 2 && defs[0].Zero {
		defs = defs[1:]
	}
	if len(defs) != 1 || defs[0].Zero || ix.Given(v) {
		return Def{}, false
	}
	return defs[0], true
}

// Given reports whether v is a parameter or a receiver whose argument is out of sight:
// it has the caller's value besides those that are assigned to it.
func (ix *Index) Given(v *types.Var) bool {
	if k := v.Kind(); k != types.ParamVar && k != types.RecvVar {
		return false
	}
	return !slices.ContainsFunc(ix.vars[v], func(d Def) bool { return d.Param })
}

// Fixed reports whether a parameter or variable keeps the value it has at its
// declaration. A declaration without a value and one assignment count as one.
func (ix *Index) Fixed(v *types.Var) bool {
	if ix.taken[v] {
		return false
	}
	declared := false
	for _, d := range ix.vars[v] {
		switch {
		case d.Param || d.Zero:
			declared = declared || d.Zero
		case d.Pos <= v.Pos() && v.Pos() < max(d.End, d.Pos+1): // x := …
		case declared:
			declared = false
		default:
			return false
		}
	}
	return true
}

// Fields returns every value a struct field is given in this package.
func (ix *Index) Fields(f *types.Var) []Def { return ix.fields[f.Origin()] }

// FieldTaken reports whether the address of the field is taken.
func (ix *Index) FieldTaken(f *types.Var) bool { return ix.taken[f.Origin()] }

// Set returns the assignments to field name of the struct variable v.
func (ix *Index) Set(v *types.Var, name string) []Def { return ix.set[v][name] }

// Before returns the definition of v that is in force at a position: the last one
// before it, if that one always runs. n counts the assignments before it, so that
// two uses with equal n see the same value.
func (ix *Index) Before(v *types.Var, pos token.Pos) (d Def, ok bool, n int) {
	if ix.taken[v] {
		return Def{}, false, 0
	}
	for _, x := range ix.vars[v] {
		if x.Param || x.Zero {
			continue
		}
		end := x.End
		if !end.IsValid() {
			end = x.Pos
		}
		if end <= pos {
			n++
			d, ok = x, x.Top && x.Rhs != nil && !x.Multi
		}
	}
	return d, ok, n
}

// Resolve follows locals that are assigned once, and parentheses, to the
// expression that gives the value. Package variables are left alone.
func (ix *Index) Resolve(e ast.Expr) ast.Expr {
	for range 10 {
		e = ast.Unparen(e)
		v := ix.Var(e)
		if v == nil || IsGlobal(v) {
			return e
		}
		d, ok := ix.Single(v)
		if !ok || d.Rhs == nil || d.Multi {
			return e
		}
		e = d.Rhs
	}
	return e
}

// IsGlobal reports whether v is a package-level variable.
func IsGlobal(v *types.Var) bool {
	return v.Pkg() != nil && v.Parent() == v.Pkg().Scope()
}
