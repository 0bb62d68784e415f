package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/locklint/locklint/internal/locks"
)

// parameter adds the token as the last parameter of a function.
func (d *draft) parameter(decl *ast.FuncDecl, typ *types.Basic) (name, why string) {
	name = d.fresh(decl, "token")
	params := decl.Type.Params
	pos, text := params.Closing, name+" "+typ.Name()
	if n := len(params.List); n > 0 {
		last := params.List[n-1]
		pos, text = last.End(), ", "+text
		if id, ok := last.Type.(*ast.Ident); ok && d.info.Uses[id] == types.Universe.Lookup(typ.Name()) {
			pos, text = last.Names[len(last.Names)-1].End(), ", "+name
		}
	}
	if !d.insert(pos, text) {
		return "", severalFiles
	}
	return name, ""
}

// declareToken makes a fresh token where all of a function that needs it sees it.
func (d *draft) declareToken(s *stop) (name, why string) {
	var nodes, creates []ast.Node
	for _, m := range s.creates {
		nodes, creates = append(nodes, m.Call), append(creates, m.Call)
	}
	for _, call := range s.acquiring {
		creates = append(creates, call)
	}
	for _, lit := range s.lits {
		nodes = append(nodes, lit)
	}
	for _, call := range s.calls {
		nodes = append(nodes, call)
	}
	for _, m := range s.others {
		if !d.isGone(m.Call) {
			nodes = append(nodes, m.Call)
		}
	}
	before, why := d.common(nodes, creates)
	if why != "" {
		return "", why
	}
	if why := d.fits(s, before.Pos(), creates); why != "" {
		return "", why
	}
	name = d.fresh(s.decl, "token")
	text, ok := d.freshToken(before, name, s.decl)
	if !ok {
		return "", "no source of tokens can be imported"
	}
	src := d.sourceAt(before.Pos())
	if src == nil || !d.insert(before.Pos(), text+"\n"+src.indent(before.Pos())) {
		return "", severalFiles
	}
	return name, ""
}

// fits reports whether all that a function frees, itself or by calls, from a position on
// is what the token is for.
func (d *draft) fits(s *stop, from token.Pos, creates []ast.Node) string {
	for _, m := range s.others {
		if d.foreign(m.Call, creates) {
			return othersLock
		}
		if d.collected(keyOf(m), from, s.decl) {
			return "the key is one of several that others lock too"
		}
	}
	for _, call := range s.calls {
		if d.foreign(call, creates) {
			return othersLock
		}
		if d.collected(givenTo(call), from, s.decl) {
			return "the key is one of several that others lock too"
		}
	}
	return ""
}

const othersLock = "who frees it there did not acquire it, and asks something more first"

// hand uses the token in one function: as the stored value, in what is compared, in
// the calls of the functions that get it.
func (d *draft) hand(s *stop, name string) string {
	var old []types.Object
	put := func(e ast.Expr) bool {
		if id, ok := ast.Unparen(e).(*ast.Ident); ok && d.info.Uses[id] != nil {
			old = append(old, d.info.Uses[id])
		}
		return d.replace(e.Pos(), e.End(), name)
	}
	for _, cr := range s.creates {
		e := cr.Value.Expr
		if e == nil || !d.inside(e, cr.Call) || cr.Derived() && !cr.ValueSupplied() {
			return "the value is chosen in a helper"
		}
		if !d.spare(cr) {
			return madeByMore
		}
		if !put(e) {
			return severalFiles
		}
	}
	for _, m := range s.others {
		if d.isGone(m.Call) {
			continue // it goes with the handling of the second command's error
		}
		switch m.Kind {
		case locks.CheckedFree, locks.CheckedRenew:
			if m.Value.Expr == nil || !d.inside(m.Value.Expr, m.Call) {
				return "the release compares with something of its own"
			}
			if m.Value.Kind == locks.ValueKept {
				return "the release compares with another value"
			}
			if !put(m.Value.Expr) {
				return severalFiles
			}
		default:
			if why := d.compare(m, name); why != "" {
				return why
			}
		}
	}
	for _, lit := range s.lits {
		if !d.give(lit, s.field, name) {
			return severalFiles
		}
	}
	for _, call := range s.calls {
		if !d.argument(call, name) {
			return severalFiles
		}
	}
	for i, obj := range old {
		if !slices.Contains(old[:i], obj) {
			d.retire(s.decl, obj)
		}
	}
	return ""
}

// argument adds a last argument to a call.
func (d *draft) argument(call *ast.CallExpr, arg string) bool {
	pos := call.Rparen
	if n := len(call.Args); n > 0 {
		pos, arg = call.Args[n-1].End(), ", "+arg
	}
	return !call.Ellipsis.IsValid() && d.insert(pos, arg)
}
