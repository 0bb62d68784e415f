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
	if !hidden || d.compared(k.typ) || len(k.lits) == 0 {
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
func (k *made) in(fn *locks.Func) []*ast.CompositeLit {
	var out []*ast.CompositeLit
	for _, lit := range k.lits {
		if fn.Decl.Pos() <= lit.Pos() && lit.Pos() < fn.Decl.End() {
			out = append(out, lit)
		}
	}
	return out
}

// onMade gives each acquisition a token of its own and keeps it in the handle that the
// function makes which acquires.
func (d *draft) onMade(creates, others []*locks.Member) string {
	var fns []*locks.Func
	for _, cr := range creates {
		if e := cr.Value.Expr; e == nil || !d.inside(e, cr.Call) || cr.Derived() {
			return "the value is chosen in a helper"
		}
		if !d.weak(cr) && !d.sharedValue(cr) {
			return noHandle // its caller may know the token, or made it in a way of its own
		}
		if !slices.Contains(fns, cr.Fn) {
			fns = append(fns, cr.Fn)
		}
	}
	here := func(m *locks.Member) bool { return slices.Contains(fns, m.Fn) }
	k, why := d.madeFor(slices.DeleteFunc(slices.Clone(others), here))
	if why != "" {
		return why
	}
	field, why := d.addField(k.typ, "string", "tells this holder from the next")
	if why != "" {
		return why
	}
	for _, fn := range fns {
		var nodes, calls []ast.Node
		for _, lit := range k.in(fn) {
			nodes = append(nodes, lit)
		}
		if len(nodes) == 0 {
			return noHandle
		}
		for _, cr := range creates {
			if cr.Fn == fn {
				nodes, calls = append(nodes, cr.Call), append(calls, cr.Call)
			}
		}
		for _, m := range others {
			if m.Fn == fn && !d.isGone(m.Call) {
				nodes = append(nodes, m.Call)
			}
		}
		before, why := d.common(nodes, calls)
		if why != "" {
			return why
		}
		name := d.fresh(fn.Decl, "token")
		text, ok := d.freshToken(before, name, fn.Decl)
		s := d.sourceAt(before.Pos())
		if !ok || s == nil {
			return "no source of tokens can be imported"
		}
		if !d.insert(before.Pos(), text+"\n"+s.indent(before.Pos())) {
			return severalFiles
		}
		for _, lit := range k.in(fn) {
			if !d.give(lit, field, name) {
				return severalFiles
			}
		}
		for _, m := range slices.Concat(creates, others) {
			if m.Fn != fn || d.isGone(m.Call) {
				continue
			}
			if why := d.stamp(m, name); why != "" {
				return why
			}
		}
		for _, cr := range creates {
			if cr.Fn == fn {
				d.outlived(fn.Decl, cr.Value.Expr)
			}
		}
	}
	for _, m := range others {
		if here(m) {
			continue
		}
		h, _, _ := d.handleAt(m)
		if why := d.stamp(m, h.Name()+"."+field); why != "" {
			return why
		}
	}
	return ""
}

// stamp makes a command store a token, or compare it.
func (d *draft) stamp(m *locks.Member, tok string) string {
	switch m.Kind {
	case locks.Create:
		if !d.spare(m) {
			return madeByMore
		}
		if !d.replace(m.Value.Expr.Pos(), m.Value.Expr.End(), tok) {
			return severalFiles
		}
	case locks.CheckedFree, locks.CheckedRenew:
		if m.Value.Expr == nil || !d.inside(m.Value.Expr, m.Call) || m.Value.Kind == locks.ValueKept {
			return "the release compares with something of its own"
		}
		if !d.replace(m.Value.Expr.Pos(), m.Value.Expr.End(), tok) {
			return severalFiles
		}
	default:
		return d.compare(m, tok)
	}
	return ""
}

// inMade returns the token where a lock is freed through a handle that the acquiring
// function makes: the field that holds it, or a new one.
func (d *draft) inMade(m *locks.Member) (string, bool) {
	for _, cr := range d.lock.Creates {
		if cr.Fn == m.Fn || d.weak(cr) {
			return "", false
		}
	}
	h, typ, _ := d.handleAt(m)
	if h == nil {
		return "", false
	}
	if field, ok := d.made[typ]; ok {
		return h.Name() + "." + field, true
	}
	// All that takes such a handle, so that one look says whether it can hold it.
	var all []*locks.Member
	for _, x := range d.bare() {
		if _, t, _ := d.handleAt(x); t == typ {
			all = append(all, x)
		}
	}
	field := ""
	why := d.try(func() string {
		k, why := d.madeFor(all)
		if why == "" {
			field, why = d.handOver(k)
		}
		return why
	})
	if why != "" {
		return "", false
	}
	if d.made == nil {
		d.made = map[*types.TypeName]string{}
	}
	d.made[typ] = field
	return h.Name() + "." + field, true
}

// handOver puts the token that an acquiring function has, in a variable or made in the
// call, into the handles it makes, and returns its field.
func (d *draft) handOver(k *made) (string, string) {
	if field := d.holds(k); field != "" {
		return field, ""
	}
	field := ""
	for _, lit := range k.lits {
		text, typ := "", types.Type(types.Typ[types.String])
		for _, cr := range d.lock.Creates {
			e := cr.Value.Expr
			decl := function(cr.Effect)
			if lit.Pos() < decl.Pos() || decl.End() <= lit.Pos() {
				continue
			}
			if e == nil || !d.comparable(e) || cr.Derived() && !cr.ValueSupplied() || d.sharedField(cr, e) || d.partOfKey(cr, e) {
				return "", noHandle
			}
			tok := ""
			if isName(e) {
				var ok bool
				if tok, ok = d.carry(e, lit.Pos()); !ok || !d.settled(e, cr) {
					return "", noHandle
				}
				typ = d.info.TypeOf(e)
			} else {
				var why string
				if tok, why = d.before(cr, e, k.in(cr.Fn)); why != "" {
					return "", why
				}
				typ = d.info.TypeOf(e)
			}
			if text != "" && tok != text {
				return "", "the key is created with several values"
			}
			text = tok
		}
		b, ok := types.Unalias(typ).(*types.Basic)
		if text == "" || !ok {
			return "", noHandle
		}
		if field == "" {
			var why string
			if field, why = d.addField(k.typ, b.Name(), "tells this holder from the next"); why != "" {
				return "", why
			}
		}
		if !d.give(lit, field, text) {
			return "", severalFiles
		}
	}
	d.notes = append(d.notes, "keep the token in the handle")
	return field, ""
}

// before keeps the value that is made inside the call that creates the key in a
// variable that the handles see too.
func (d *draft) before(cr *locks.Member, e ast.Expr, lits []*ast.CompositeLit) (string, string) {
	name, ok := d.kept[cr.Call]
	if !ok {
		var why string
		if name, why = d.hoist(cr, e, lits); why != "" {
			return "", why
		}
	}
	for _, lit := range lits {
		if !d.lookupKept(cr.Call, lit.Pos()) {
			return "", "the token is not in scope there"
		}
	}
	return name, ""
}

// holds returns the field of the handles that has the token already: each of them is
// given it by the function that acquires, and nothing gives it another value.
func (d *draft) holds(k *made) string {
	field := ""
	for _, lit := range k.lits {
		own := ""
		for _, cr := range d.lock.Creates {
			e := ast.Unparen(orNone(cr.Value.Expr))
			decl := function(cr.Effect)
			if lit.Pos() < decl.Pos() || decl.End() <= lit.Pos() || cr.Derived() && !cr.ValueSupplied() {
				continue
			}
			f := ""
			if sel, ok := e.(*ast.SelectorExpr); ok && d.is(sel.X, lit) {
				f = sel.Sel.Name // SetNX(ctx, l.key, l.token, ttl)
			}
			for _, el := range lit.Elts {
				kv, ok := el.(*ast.KeyValueExpr)
				if !ok || !isName(e) || !isName(kv.Value) || types.ExprString(kv.Value) != types.ExprString(e) || !d.settled(e, cr) {
					continue
				}
				if text, ok := d.carry(e, lit.Pos()); ok && text == types.ExprString(e) {
					f = kv.Key.(*ast.Ident).Name
				}
			}
			if f == "" || own != "" && own != f || !d.comparable(e) {
				return ""
			}
			own = f
		}
		if own == "" || field != "" && own != field {
			return ""
		}
		field = own
	}
	st, _ := k.typ.Type().Underlying().(*types.Struct)
	for f := range st.Fields() {
		if f.Name() != field {
			continue
		}
		if d.res.Defs().FieldTaken(f) {
			return ""
		}
		for _, def := range d.res.Defs().Fields(f) {
			if !slices.ContainsFunc(k.lits, func(lit *ast.CompositeLit) bool { return d.inside(orNone(def.Rhs), lit) }) {
				return ""
			}
		}
		return field
	}
	return ""
}

// is reports whether an expression is a local that is set once, to a literal.
func (d *draft) is(e ast.Expr, lit *ast.CompositeLit) bool {
	v := d.variable(e)
	if v == nil {
		return false
	}
	def, ok := d.res.Defs().Single(v)
	if !ok || def.Rhs == nil || def.Multi {
		return false
	}
	rhs := ast.Unparen(def.Rhs)
	if un, ok := rhs.(*ast.UnaryExpr); ok && un.Op == token.AND {
		rhs = ast.Unparen(un.X)
	}
	return rhs == ast.Expr(lit)
}

// give adds a field to a literal.
func (d *draft) give(lit *ast.CompositeLit, field, text string) bool {
	s := d.sourceAt(lit.Pos())
	if s == nil {
		return false
	}
	if len(lit.Elts) == 0 {
		return d.insert(lit.Rbrace, field+": "+text)
	}
	last := lit.Elts[len(lit.Elts)-1]
	if _, keyed := last.(*ast.KeyValueExpr); keyed {
		text = field + ": " + text
	}
	if s.tok.Line(last.End()) != s.tok.Line(lit.Rbrace) {
		return d.insert(last.End(), ",\n"+s.indent(last.Pos())+text)
	}
	return d.insert(last.End(), ", "+text)
}

// addField adds a field to a struct type of the package, under a name that it is not
// known to have.
func (d *draft) addField(typ *types.TypeName, of, comment string) (string, string) {
	st, why := d.structOf(typ)
	if why != "" {
		return "", why
	}
	field := ""
	for _, name := range []string{"token", "lockToken"} {
		if !d.means(typ, name) {
			field = name
			break
		}
	}
	last := st.Fields.List[len(st.Fields.List)-1]
	s := d.sourceAt(last.Pos())
	if field == "" || s == nil {
		return "", noHandle
	}
	at, text := s.after(last), "\n"+s.indent(last.Pos())+field+" "+of+" // "+comment
	if s.tok.Line(last.End()) == s.tok.Line(st.Fields.Closing) {
		at, text = last.End(), "; "+field+" "+of
	}
	if !d.insert(at, text) {
		return "", severalFiles
	}
	return field, ""
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
