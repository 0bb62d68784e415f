// Package defs tells where the variables, fields and func values of a package
// get their values. The layers above use it to see through locals that are
// assigned once.
package defs

import (
	"go/ast"
	"go/token"
	"go/types"
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

// New indexes the files of a package. It tolerates code that does not type-check.
func New(files []*ast.File, info *types.Info) *Index {
	ix := &Index{
		info:   info,
		vars:   map[*types.Var][]Def{},
		fields: map[*types.Var][]Def{},
		taken:  map[*types.Var]bool{},
		set:    map[*types.Var]map[string][]Def{},
		keyed:  map[*types.Var][]ast.Expr{},
		filled: map[*types.Var][]ast.Expr{},
		top:    map[ast.Stmt]ast.Node{},
		calls:  map[*types.Var][]*ast.CallExpr{},
	}
	for _, f := range files {
		ast.Inspect(f, ix.visit)
	}
	ix.bindLocals()
	return ix
}

// bindLocals binds the parameters of func literals that locals hold, where there is
// one call: free := func(k string) { … }; free(key).
func (ix *Index) bindLocals() {
	for v, calls := range ix.calls {
		d, ok := ix.Single(v)
		if lit, isLit := d.Rhs.(*ast.FuncLit); ok && isLit && len(calls) == 1 && !IsGlobal(v) {
			ix.bind(lit, calls[0].Args)
		}
	}
}

// NewDecl indexes one function alone.
func NewDecl(fd *ast.FuncDecl, info *types.Info) *Index {
	ix := New(nil, info)
	ast.Inspect(fd, ix.visit)
	return ix
}

func (ix *Index) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.FuncDecl:
		if n.Body != nil {
			ix.straight(n, n.Body)
		}
	case *ast.FuncLit:
		ix.straight(n, n.Body)
	case *ast.AssignStmt:
		ix.assign(n)
	case *ast.ValueSpec:
		for i, name := range n.Names {
			v, _ := ix.info.Defs[name].(*types.Var)
			if v == nil {
				continue
			}
			switch {
			case len(n.Values) == len(n.Names):
				ix.vars[v] = append(ix.vars[v], Def{Rhs: n.Values[i], Pos: name.Pos()})
			case len(n.Values) == 1:
				ix.vars[v] = append(ix.vars[v], Def{Rhs: n.Values[0], Index: i, Multi: true, Pos: name.Pos()})
			default:
				ix.vars[v] = append(ix.vars[v], Def{Zero: true, Pos: name.Pos()})
			}
		}
	case *ast.RangeStmt:
		for i, e := range []ast.Expr{n.Key, n.Value} {
			if v := ix.Var(e); v != nil {
				ix.vars[v] = append(ix.vars[v], Def{Range: n, Key: i == 0, Pos: e.Pos()})
			}
		}
	case *ast.IncDecStmt:
		if v := ix.Var(n.X); v != nil {
			ix.vars[v] = append(ix.vars[v], Def{Pos: n.Pos()})
		}
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			if v := ix.root(n.X); v != nil {
				ix.taken[v] = true
			}
			if sel, ok := ast.Unparen(n.X).(*ast.SelectorExpr); ok {
				if f := ix.field(sel); f != nil {
					ix.taken[f] = true
				}
			}
		}
	case *ast.CompositeLit:
		ix.composite(n)
	case *ast.CallExpr:
		// func(p T) { … }(arg): the parameter is arg.
		if n.Ellipsis.IsValid() {
			break
		}
		if lit, ok := ast.Unparen(n.Fun).(*ast.FuncLit); ok {
			ix.bind(lit, n.Args)
		} else if v := ix.Var(n.Fun); v != nil {
			ix.calls[v] = append(ix.calls[v], n)
		}
	}
	return true
}

func (ix *Index) straight(fn ast.Node, body *ast.BlockStmt) {
	for _, s := range body.List {
		ix.top[s] = fn
	}
}

// always reports whether an assignment runs whenever the function does that v is
// declared in: a func literal around it may never be called.
func (ix *Index) always(n *ast.AssignStmt, v *types.Var) bool {
	fn := ix.top[n]
	return fn != nil && fn.Pos() <= v.Pos() && v.Pos() < fn.End()
}

func (ix *Index) bind(lit *ast.FuncLit, args []ast.Expr) {
	i := 0
	for _, f := range lit.Type.Params.List {
		for _, name := range f.Names {
			if i >= len(args) {
				return
			}
			if v, _ := ix.info.Defs[name].(*types.Var); v != nil {
				ix.vars[v] = append(ix.vars[v], Def{Rhs: args[i], Pos: name.Pos(), Param: true})
			}
			i++
		}
		if len(f.Names) == 0 {
			i++
		}
	}
}

func (ix *Index) assign(n *ast.AssignStmt) {
	for i, lhs := range n.Lhs {
		d := Def{Pos: n.Pos(), End: n.End()}
		switch {
		case n.Tok != token.ASSIGN && n.Tok != token.DEFINE: // op=
		case len(n.Lhs) == len(n.Rhs):
			d.Rhs = n.Rhs[i]
		case len(n.Rhs) == 1:
			d.Rhs, d.Index, d.Multi = n.Rhs[0], i, true
		}
		switch l := ast.Unparen(lhs).(type) {
		case *ast.Ident:
			if v := ix.Var(l); v != nil {
				d.Top = ix.always(n, v)
				ix.vars[v] = append(ix.vars[v], d)
			}
		case *ast.SelectorExpr:
			if f := ix.field(l); f != nil {
				ix.fields[f] = append(ix.fields[f], d)
			}
			if v := ix.Var(l.X); v != nil {
				if ix.set[v] == nil {
					ix.set[v] = map[string][]Def{}
				}
				ix.set[v][l.Sel.Name] = append(ix.set[v][l.Sel.Name], d)
			} else if v := ix.root(l.X); v != nil {
				ix.taken[v] = true
			}
		case *ast.IndexExpr:
			if v := ix.Var(l.X); v != nil {
				switch v.Type().Underlying().(type) {
				case *types.Map:
					ix.keyed[v] = append(ix.keyed[v], l.Index)
				case *types.Slice:
					ix.filled[v] = append(ix.filled[v], d.Rhs)
				}
			}
		case *ast.StarExpr:
			// *p = …: what p points to changes.
			if v := ix.root(l.X); v != nil {
				ix.taken[v] = true
			}
		}
	}
}

func (ix *Index) composite(n *ast.CompositeLit) {
	t := ix.info.TypeOf(n)
	if t == nil {
		return
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		return
	}
	for i, e := range n.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			if id, ok := kv.Key.(*ast.Ident); ok {
				if f, _ := ix.info.Uses[id].(*types.Var); f != nil {
					f = f.Origin()
					ix.fields[f] = append(ix.fields[f], Def{Rhs: kv.Value, Pos: kv.Pos()})
				}
			}
			continue
		}
		if i < st.NumFields() {
			f := st.Field(i).Origin()
			ix.fields[f] = append(ix.fields[f], Def{Rhs: e, Pos: e.Pos()})
		}
	}
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

// All returns every definition of a variable; nil for a parameter that is never
// assigned.
func (ix *Index) All(v *types.Var) []Def { return ix.vars[v] }

// Escapes reports whether the address of v is taken, so that its value may change
// out of sight.
func (ix *Index) Escapes(v *types.Var) bool { return ix.taken[v] }

// Single returns the one definition of a variable that has exactly one and whose
// address is never taken. A declaration without a value followed by one assignment
// counts as single too.
func (ix *Index) Single(v *types.Var) (Def, bool) {
	if v == nil || ix.taken[v] {
		return Def{}, false
	}
	defs := ix.vars[v]
	if len(defs) == 2 && defs[0].Zero {
		defs = defs[1:]
	}
	if len(defs) != 1 || defs[0].Zero {
		return Def{}, false
	}
	return defs[0], true
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

// Keys returns the expressions that a local map is given as keys; ok is false if
// it may hold others.
func (ix *Index) Keys(e ast.Expr) (keys []ast.Expr, ok bool) {
	v := ix.Var(e)
	if v == nil || IsGlobal(v) || ix.taken[v] {
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
		if v == nil || IsGlobal(v) || ix.taken[v] || len(ix.vars[v]) == 0 {
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

// IsGlobal reports whether v is a package-level variable.
func IsGlobal(v *types.Var) bool {
	return v.Pkg() != nil && v.Parent() == v.Pkg().Scope()
}
