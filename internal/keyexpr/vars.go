package keyexpr

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/locklint/locklint/internal/defs"
)

// passed is the hole for an element ks[i] of a slice parameter, i being the index of
// a range over it: each of the keys that the caller passes.
func (f *Folder) passed(x *ast.IndexExpr, s *Scope) *Hole {
	p, i := f.Defs.Var(x.X), f.Defs.Var(x.Index)
	if p == nil || i == nil || s.index(p) == NoParam {
		return nil
	}
	d, ok := f.Defs.Single(i)
	if !ok || d.Range == nil || !d.Key || f.Defs.Var(d.Range.X) != p {
		return nil
	}
	return &Hole{Ident: varID(p) + "[]", Var: p, Param: s.index(p), Text: p.Name() + "[]"}
}

func (f *Folder) ident(x *ast.Ident, s *Scope, in *env, depth int) Key {
	v, ok := f.Info.ObjectOf(x).(*types.Var)
	if !ok {
		return f.opaque(x, in)
	}
	if k, ok := in.lookup(v); ok {
		return k
	}
	if defs.IsGlobal(v) {
		return f.global(v, depth).called(v.Name())
	}
	if d, ok := f.Defs.Single(v); ok && s.index(v) == NoParam {
		switch {
		case d.Rhs != nil && !d.Multi:
			return f.fold(d.Rhs, s, in, depth+1)
		case d.Range != nil:
			return f.element(v, x, d.Range, d.Key, s, in, depth)
		}
	}
	d, ok, n := f.Defs.Before(v, x.Pos())
	if ok && n > 0 {
		// key = prefix + key: what the last assignment gave it.
		return f.fold(d.Rhs, s, in, depth+1)
	}
	h := &Hole{Ident: varID(v) + in.local(v), Var: v, Param: NoParam, Text: v.Name()}
	if n > 0 {
		h.Ident += fmt.Sprintf("/%d", n)
	} else if !f.Defs.Escapes(v) {
		h.Param = s.index(v)
	}
	if h.Param == Recv {
		h.Shape = recvShape(v)
	}
	return Of(h)
}

// element folds the variable of a range: what the slice or the map was filled
// with, where that is one expression; else a hole for an element of the slice.
func (f *Folder) element(v *types.Var, x *ast.Ident, r *ast.RangeStmt, key bool, s *Scope, in *env, depth int) Key {
	if e := f.Filled(r, key); e != nil {
		return f.fold(e, s, in, depth+1)
	}
	if key {
		return Of(&Hole{Ident: varID(v) + in.local(v), Var: v, Param: NoParam, Text: x.Name})
	}
	h := &Hole{Ident: varID(v) + in.local(v), Var: v, Param: NoParam, Elem: f.Defs.Var(r.X), Text: x.Name}
	if p := f.Defs.Var(r.X); p != nil && f.Defs.Fixed(p) {
		h.Param = s.index(p) // each element of a slice that the caller passes
	}
	return Of(h)
}

// Filled returns the one expression that the slice (its elements) or the map (its
// keys) of a range is filled with by append or assignment; nil if there is none.
func (f *Folder) Filled(r *ast.RangeStmt, key bool) ast.Expr {
	var elems []ast.Expr
	var ok bool
	if key {
		elems, ok = f.Defs.Keys(r.X)
	} else if elems, ok = f.Defs.Elems(r.X); ok {
		if _, lit := f.Defs.Resolve(r.X).(*ast.CompositeLit); lit {
			ok = false // a list written down, not collected
		}
	}
	if !ok || len(elems) != 1 {
		return nil
	}
	return elems[0]
}

// global folds a package variable: its text if it is initialised by something
// that folds to text and is never assigned, a hole otherwise.
func (f *Folder) global(v *types.Var, depth int) Key {
	if d, ok := f.Defs.Single(v); ok && d.Rhs != nil && !d.Multi {
		if k := f.fold(d.Rhs, nil, nil, depth+1); len(k.Holes()) == 0 {
			return k
		}
	}
	id := "pkg:" + v.Name()
	if v.Pkg() != nil {
		id = "pkg:" + v.Pkg().Path() + "." + v.Name()
	}
	return Of(&Hole{Ident: id, Shape: id, Var: v, Param: NoParam, Text: v.Name()})
}

func (f *Folder) selector(x *ast.SelectorExpr, s *Scope, in *env, depth int) Key {
	sel := f.Info.Selections[x]
	if sel == nil { // pkg.Var
		if v, ok := f.Info.Uses[x.Sel].(*types.Var); ok {
			return f.global(v, depth).called(v.Name())
		}
		return f.opaque(x, in)
	}
	if sel.Kind() != types.FieldVal {
		return f.opaque(x, in)
	}
	if e := f.written(x); e != nil && depth < maxDepth {
		return f.fold(e, s, in, depth+1).called(x.Sel.Name)
	}
	base := f.fold(x.X, s, in, depth+1)
	if !base.Bare() {
		return f.opaque(x, in)
	}
	h := *base.Parts[0].Hole
	h.Elem = nil
	if n := f.assigned(x); n > 0 {
		h.Ident += fmt.Sprintf("/%d", n)
	}
	path := "." + strings.Join(fieldPath(sel), ".")
	return Of(h.field(path)).called(x.Sel.Name)
}

// written returns what a field holds where its struct is a local that starts as a
// literal and whose field is never assigned: h := &Lock{key: "lock:" + id}; h.key.
func (f *Folder) written(x *ast.SelectorExpr) ast.Expr {
	v := f.Defs.Var(x.X)
	if v == nil || defs.IsGlobal(v) || len(f.Defs.Set(v, x.Sel.Name)) > 0 {
		return nil
	}
	d, ok := f.Defs.Single(v)
	if !ok || d.Rhs == nil || d.Multi {
		return nil
	}
	e := ast.Unparen(d.Rhs)
	if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.AND {
		e = ast.Unparen(u.X)
	}
	lit, ok := e.(*ast.CompositeLit)
	if !ok {
		return nil
	}
	for _, el := range lit.Elts {
		kv, ok := el.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		if id, ok := kv.Key.(*ast.Ident); ok && id.Name == x.Sel.Name {
			return kv.Value
		}
	}
	return nil
}

// assigned counts the assignments to a field of a variable that stand before a use
// of it.
func (f *Folder) assigned(x *ast.SelectorExpr) int {
	v := f.Defs.Var(x.X)
	if v == nil || defs.IsGlobal(v) {
		return 0
	}
	n := 0
	for _, d := range f.Defs.Set(v, x.Sel.Name) {
		if d.End <= x.Pos() {
			n++
		}
	}
	return n
}

// fieldPath names the fields of a selection, embedded ones too.
func fieldPath(sel *types.Selection) []string {
	if names := walkFields(sel.Recv(), sel.Index()); len(names) == len(sel.Index()) {
		return names
	}
	return []string{sel.Obj().Name()}
}

// walkFields names the fields on the way from a type, as far as they are fields.
func walkFields(t types.Type, index []int) []string {
	var names []string
	for _, i := range index {
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		st, ok := t.Underlying().(*types.Struct)
		if !ok || i >= st.NumFields() {
			break
		}
		names = append(names, st.Field(i).Name())
		t = st.Field(i).Type()
	}
	return names
}
