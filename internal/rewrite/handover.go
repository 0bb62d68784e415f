package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/locklint/locklint/internal/locks"
)

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
		if why == "" && slices.ContainsFunc(k.again, func(f *types.Var) bool { return f.Name() != field }) {
			why = noHandle // what acquires again stores another value
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
				if tok, why = d.before(cr, e, k.in(cr.Fn.Decl)); why != "" {
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
