package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/locklint/locklint/internal/defs"
	"github.com/locklint/locklint/internal/keyexpr"
	"github.com/locklint/locklint/internal/locks"
)

// A made is a type whose values are made by the functions that acquire a lock, one for
// each acquisition, and which tell what frees the lock its key. The token can stand
// beside the key: it is wherever the key is.
type made struct {
	typ    *types.TypeName
	fields map[*types.Var]bool // what a release reads of it; true: for its key
	lits   []*ast.CompositeLit // that give one of the fields
	again  []*types.Var        // what is stored where a handle acquires again
}

const noHandle = "no handle is made where the lock is acquired"

// handleAt returns the parameter or receiver of a function that stands for the lock it
// frees: the key comes from its fields and from nothing else, or is a constant and the
// client comes from there.
func (d *draft) handleAt(m *locks.Member) (h *types.Var, typ *types.TypeName, fields map[*types.Var]bool) {
	if m.Derived() || m.Cmd == nil {
		return nil, nil, nil
	}
	fields = map[*types.Var]bool{}
	read := func(hole *keyexpr.Hole, ofKey bool) bool {
		v := hole.Var
		name, _, _ := strings.Cut(strings.TrimPrefix(hole.Path, "."), ".")
		if hole.Param == keyexpr.NoParam || v == nil || h != nil && h != v {
			return false
		}
		obj := named(v.Type())
		if obj == nil || obj.Pkg() != d.pass.Pkg {
			return false
		}
		st, ok := obj.Type().Underlying().(*types.Struct)
		if !ok {
			return false
		}
		for f := range st.Fields() {
			if f.Name() == name {
				h, typ, fields[f] = v, obj, fields[f] || ofKey
				return true
			}
		}
		return false
	}
	for _, hole := range m.Key.Holes() {
		if !hole.Global() && !read(hole, true) {
			return nil, nil, nil
		}
	}
	if m.Cmd.Client != nil {
		for _, hole := range d.res.Fold(m.Cmd.Client, m.Fn).Holes() {
			read(hole, false)
		}
	}
	if h == nil || h.Name() == "" || h.Name() == "_" || d.lookup(h.Name(), m.Pos()) != h || !d.res.Defs().Fixed(h) {
		return nil, nil, nil
	}
	return h, typ, fields
}

// named is the type, or what the pointer points to, if it has a name.
func named(t types.Type) *types.TypeName {
	if t == nil {
		return nil
	}
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		return n.Obj()
	}
	return nil
}

// madeFor looks at the type of the handles that some members take. Whatever fills in
// such a handle must be a function that acquires that key.
func (d *draft) madeFor(members []*locks.Member) (*made, string) {
	k := &made{fields: map[*types.Var]bool{}}
	for _, m := range members {
		h, typ, fields := d.handleAt(m)
		if h == nil || k.typ != nil && typ != k.typ {
			return nil, noHandle
		}
		k.typ = typ
		for f, ofKey := range fields {
			k.fields[f] = k.fields[f] || ofKey
		}
	}
	if k.typ == nil || d.written(k.typ) {
		return nil, noHandle
	}
	for _, f := range d.pass.Files {
		ast.Inspect(f, func(n ast.Node) bool {
			lit, ok := n.(*ast.CompositeLit)
			if ok && named(d.info.TypeOf(lit)) == k.typ && k.knows(d, lit) {
				k.lits = append(k.lits, lit)
			}
			return true
		})
	}
	// Another package, or a decoder, fills in what is exported.
	hidden := false
	for f, ofKey := range k.fields {
		hidden = hidden || !f.Exported()
		if d.res.Defs().FieldTaken(f) {
			return nil, noHandle
		}
		for _, def := range d.res.Defs().Fields(f) {
			if !d.fills(def.Rhs, def.Pos, ofKey && !def.Multi, k.typ) || !k.sets(d, f, def) {
				return nil, noHandle
			}
		}
	}
	if !hidden || d.compared(k.typ) || len(k.lits) == 0 || !k.oneEach(d) {
		return nil, noHandle
	}
	return k, ""
}

// sets reports whether a field is given its value in one of the literals, or in a
// local that holds one and nothing else.
func (k *made) sets(d *draft, f *types.Var, def defs.Def) bool {
	of := func(ok func(*ast.CompositeLit) bool) bool { return slices.ContainsFunc(k.lits, ok) }
	if of(func(lit *ast.CompositeLit) bool { return lit.Pos() < def.Pos && def.Pos < lit.End() }) {
		return true
	}
	decl := d.declared(def.Pos)
	if decl == nil {
		return false
	}
	found, all := false, true
	ast.Inspect(decl, func(n ast.Node) bool {
		as, ok := n.(*ast.AssignStmt)
		if !ok || as.Pos() != def.Pos {
			return true
		}
		for _, l := range as.Lhs {
			sel, ok := ast.Unparen(l).(*ast.SelectorExpr)
			if !ok {
				continue
			}
			if v, ok := d.info.Uses[sel.Sel].(*types.Var); ok && v.Origin() == f {
				found = true
				all = all && of(func(lit *ast.CompositeLit) bool { return d.is(sel.X, lit) })
			}
		}
		return true
	})
	return found && all
}

// fills reports whether a field is given its value where the lock is acquired, the key
// from what makes the key there.
func (d *draft) fills(e ast.Expr, pos token.Pos, ofKey bool, typ *types.TypeName) bool {
	for _, cr := range d.lock.Creates {
		if decl := function(cr.Effect); pos < decl.Pos() || decl.End() <= pos {
			continue
		}
		if !ofKey {
			return true
		}
		of := cr.Key.Holes()
		known := func(h *keyexpr.Hole) bool {
			return slices.ContainsFunc(of, func(o *keyexpr.Hole) bool {
				return o.Ident == h.Ident || o.Var != nil && (o.Var == h.Var || named(o.Var.Type()) == typ)
			})
		}
		if e == nil {
			return false
		}
		given := d.res.Fold(e, cr.Fn)
		holes := given.Holes()
		if given.Known() && (len(holes) > 0 || len(of) == 0) && !slices.ContainsFunc(holes, func(h *keyexpr.Hole) bool { return !known(h) }) {
			return true
		}
	}
	return false
}

// knows reports whether a literal gives one of the fields that a release reads.
func (k *made) knows(d *draft, lit *ast.CompositeLit) bool {
	for _, el := range lit.Elts {
		kv, ok := el.(*ast.KeyValueExpr)
		if !ok {
			return true
		}
		if id, ok := kv.Key.(*ast.Ident); ok {
			if f, ok := d.info.Uses[id].(*types.Var); ok {
				if _, ok := k.fields[f.Origin()]; ok {
					return true
				}
			}
		}
	}
	return false
}

// compared reports whether values of a type are compared, or are keys of a map: one
// more field would make them differ.
func (d *draft) compared(typ *types.TypeName) bool {
	found := false
	is := func(e ast.Expr) bool {
		t := d.info.TypeOf(e)
		if t == nil {
			return false
		}
		_, ptr := types.Unalias(t).(*types.Pointer)
		return !ptr && named(t) == typ
	}
	for _, f := range d.pass.Files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BinaryExpr:
				found = found || (n.Op == token.EQL || n.Op == token.NEQ) && (is(n.X) || is(n.Y))
			case *ast.MapType:
				found = found || is(n.Key)
			}
			return !found
		})
	}
	return found
}

// in are the literals of a function.
func (k *made) in(fn *ast.FuncDecl) []*ast.CompositeLit {
	var out []*ast.CompositeLit
	for _, lit := range k.lits {
		if fn.Pos() <= lit.Pos() && lit.Pos() < fn.End() {
			out = append(out, lit)
		}
	}
	return out
}

// onMade gives each acquisition a token of its own and keeps it in the handle that the
// function makes which acquires.
func (d *draft) onMade(creates, others []*locks.Member) string {
	stops := map[*locks.Func]*stop{}
	var order []*stop
	for _, cr := range creates {
		if e := cr.Value.Expr; e == nil || !d.inside(e, cr.Call) || cr.Derived() {
			return "the value is chosen in a helper"
		}
		if !d.weak(cr) && !d.sharedValue(cr) {
			return noHandle // its caller may know the token, or made it in a way of its own
		}
		s := stops[cr.Fn]
		if s == nil {
			s = &stop{decl: cr.Fn.Decl}
			stops[cr.Fn] = s
			order = append(order, s)
		}
		s.creates = append(s.creates, cr)
	}
	var elsewhere []*locks.Member
	for _, m := range others {
		if s := stops[m.Fn]; s != nil {
			s.others = append(s.others, m)
		} else {
			elsewhere = append(elsewhere, m)
		}
	}
	k, why := d.madeFor(elsewhere)
	if why != "" {
		return why
	}
	if len(k.again) > 0 {
		return noHandle // it has a token of the handle's own already
	}
	field, why := d.addField(k.typ, "string", "tells this holder from the next")
	if why != "" {
		return why
	}
	for _, s := range order {
		if s.lits, s.field = k.in(s.decl), field; len(s.lits) == 0 {
			return noHandle
		}
		name, why := d.declareToken(s)
		if why == "" {
			why = d.hand(s, name)
		}
		if why != "" {
			return why
		}
	}
	for _, m := range elsewhere {
		h, _, _ := d.handleAt(m)
		if why := d.hand(&stop{decl: m.Fn.Decl, others: []*locks.Member{m}}, h.Name()+"."+field); why != "" {
			return why
		}
	}
	return ""
}

// means reports whether a name is one of a field or a method already: of a type, or of
// a struct that embeds it, where a new field could come before it.
func (d *draft) means(typ *types.TypeName, name string) bool {
	resolves := func(t types.Type) bool {
		obj, index, _ := types.LookupFieldOrMethod(t, true, d.pass.Pkg, name)
		return obj != nil || index != nil
	}
	if resolves(types.NewPointer(typ.Type())) {
		return true
	}
	for _, obj := range d.info.Defs {
		if t, ok := obj.(*types.TypeName); ok && embeds(t.Type(), typ, nil) && resolves(types.NewPointer(t.Type())) {
			return true
		}
	}
	for e, tv := range d.info.Types {
		if _, ok := e.(*ast.StructType); ok && embeds(tv.Type, typ, nil) && resolves(tv.Type) {
			return true
		}
	}
	return false
}

// embeds reports whether a struct embeds a type, at any depth.
func embeds(t types.Type, typ *types.TypeName, seen []*types.TypeName) bool {
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for f := range st.Fields() {
		of := named(f.Type())
		if !f.Embedded() || of == nil || slices.Contains(seen, of) {
			continue
		}
		if of == typ || embeds(of.Type(), typ, append(seen, of)) {
			return true
		}
	}
	return false
}
