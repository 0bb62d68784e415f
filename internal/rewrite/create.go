package rewrite

import (
	"go/ast"
	"go/types"

	"github.com/locklint/locklint/internal/locks"
)

// create gives a create its expiry.
func (d *draft) create(cr *locks.Member, t ttl) string {
	cmd := cr.Cmd
	switch {
	case cmd == nil && cr.TTLSupplied():
		return d.supplied(cr, t)
	case cmd == nil:
		return "the key is created in a helper that fixes its expiry"
	case cr.Script:
		return "a script creates the key"
	case cmd.Options != nil:
		return d.options(cr, t)
	case !cmd.Method:
		return d.rawCreate(cr, t)
	case cmd.Name != "SetNX" || cmd.TTL.Expr == nil:
		return "the options of " + cmd.Name + " are not written in the call"
	}
	why := d.try(func() string { return d.setArgs(cr, t) })
	if why == "" {
		return ""
	}
	// The same create with the expiry: every use keeps its meaning.
	if t.at {
		return "its answer is used in a way that only SetNX gives, which takes no point in time"
	}
	if !d.replace(cmd.TTL.Expr.Pos(), cmd.TTL.Expr.End(), t.text) {
		return severalFiles
	}
	return ""
}

// supplied gives the expiry to a wrapper that takes it.
func (d *draft) supplied(cr *locks.Member, t ttl) string {
	arg := cr.TTL.Expr
	if arg == nil || t.at || !isDuration(d.info.TypeOf(arg)) || arg.Pos() < cr.Call.Pos() || arg.End() > cr.Call.End() {
		return "the wrapper takes its expiry in another form"
	}
	if !d.replace(arg.Pos(), arg.End(), t.text) {
		return severalFiles
	}
	return ""
}

// options adds the expiry to the SetArgs literal in the call.
func (d *draft) options(cr *locks.Member, t ttl) string {
	lit := cr.Cmd.Options
	if lit.Pos() < cr.Call.Pos() || lit.End() > cr.Call.End() {
		return "the options are not written in the call"
	}
	field := "TTL: " + spaced(t.text)
	if t.at {
		field = "ExpireAt: " + spaced(t.text)
	}
	for _, el := range lit.Elts {
		kv, ok := el.(*ast.KeyValueExpr)
		if !ok {
			return "the options are not written by name"
		}
		if id, ok := kv.Key.(*ast.Ident); ok && (id.Name == "TTL" || id.Name == "KeepTTL") {
			if !d.replace(kv.Pos(), kv.End(), field) {
				return severalFiles
			}
			return ""
		}
	}
	s := d.sourceAt(lit.Pos())
	if s == nil || len(lit.Elts) == 0 {
		return "the options are not written by name"
	}
	last := lit.Elts[len(lit.Elts)-1]
	text := ", " + field
	if s.tok.Line(last.End()) != s.tok.Line(lit.Rbrace) {
		text = ",\n" + s.indent(last.Pos()) + field
	}
	if !d.insert(last.End(), text) {
		return severalFiles
	}
	return ""
}

const otherUse = "its answer is used in a way that SetArgs cannot keep"

// setArgs turns SetNX into SetArgs with mode NX and the expiry, and every use of
// the answer with it: a held lock stays false without an error.
func (d *draft) setArgs(cr *locks.Member, t ttl) string {
	cmd, call := cr.Cmd, cr.Call
	sel := selector(call)
	if cr.Queue != locks.NoQueue || sel == nil || call.Ellipsis.IsValid() {
		return otherUse
	}
	fn := d.hasMethod(cmd.Client, "SetArgs")
	if fn == nil {
		return "its client has no SetArgs"
	}
	params := fn.Signature().Params()
	if params.Len() == 0 {
		return otherUse
	}
	opts, ok := types.Unalias(params.At(params.Len() - 1).Type()).(*types.Named)
	if !ok || opts.Obj().Name() != "SetArgs" || opts.Obj().Pkg() == nil || !isLibrary(opts.Obj().Pkg().Path()) {
		return otherUse
	}
	lib := opts.Obj().Pkg()
	u, ok := d.useOf(call)
	if !ok {
		return otherUse
	}
	q, ok := d.qualifier(lib.Path(), "SetArgs", call.Pos())
	if !ok {
		return otherUse
	}
	field := "TTL"
	if t.at {
		field = "ExpireAt"
	}
	arg := q + `SetArgs{Mode: "NX", ` + field + ": " + spaced(t.text) + "}"
	if !d.replace(sel.Sel.Pos(), sel.Sel.End(), "SetArgs") || !d.replace(cmd.TTL.Expr.Pos(), cmd.TTL.Expr.End(), arg) {
		return severalFiles
	}
	c := &answer{draft: d, cr: cr, u: u, lib: lib.Path()}
	return c.rewrite()
}
