package defs

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
)

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
// one call: free := func(k string) { … }; free(key). A parameter may itself be bound to
// a literal, hence the rounds; the order is that of the text, so that an index does not
// depend on how maps are walked.
func (ix *Index) bindLocals() {
	called := slices.SortedFunc(maps.Keys(ix.calls), func(a, b *types.Var) int { return cmp.Compare(a.Pos(), b.Pos()) })
	for bound := true; bound; {
		bound = false
		called = slices.DeleteFunc(called, func(v *types.Var) bool {
			d, ok := ix.Single(v)
			lit, isLit := d.Rhs.(*ast.FuncLit)
			if !ok || !isLit || len(ix.calls[v]) != 1 || IsGlobal(v) {
				return false
			}
			ix.bind(lit, ix.calls[v][0].Args)
			bound = true
			return true
		})
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
