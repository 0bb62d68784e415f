package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/locklint/locklint/internal/locks"
)

// anew reports whether the package frees a lock through a handle that it makes for
// that: a token that the acquisition kept in another handle is not in it.
func (d *draft) anew(typ *types.TypeName, creates, others []*locks.Member) bool {
	h := &handles{draft: d, typ: typ, acquiring: map[*types.Func]bool{}}
	for _, cr := range creates {
		h.acquiring[cr.Fn.Obj.Origin()] = true
	}
	h.close()
	for _, m := range others {
		if h.acquiring[m.Fn.Obj.Origin()] {
			continue
		}
		for _, call := range h.calls(m.Fn.Obj) {
			if sel := selector(call); sel == nil || h.fresh(sel.X, 0) {
				return true
			}
		}
	}
	return false
}

type handles struct {
	*draft
	typ       *types.TypeName
	acquiring map[*types.Func]bool // methods that acquire through their receiver
}

// calls lists the calls of a method, those through an interface too.
func (h *handles) calls(fn *types.Func) []*ast.CallExpr {
	calls, _ := h.res.Calls(fn)
	calls = slices.Clone(calls)
	for _, f := range h.pass.Files {
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || !h.dispatched(call) || selector(call).Sel.Name != fn.Name() {
				return true
			}
			of, _ := h.info.Selections[selector(call)].Recv().Underlying().(*types.Interface)
			if of != nil && types.Implements(types.NewPointer(h.typ.Type()), of) {
				calls = append(calls, call)
			}
			return true
		})
	}
	return calls
}

// close adds the methods of the type that call one which acquires.
func (h *handles) close() {
	for changed := true; changed; {
		changed = false
		for _, f := range h.pass.Files {
			for _, decl := range f.Decls {
				fd, ok := decl.(*ast.FuncDecl)
				if !ok || fd.Recv == nil || len(fd.Recv.List[0].Names) == 0 {
					continue
				}
				fn, recv := h.object(fd), h.variable(fd.Recv.List[0].Names[0])
				if fn == nil || recv == nil || named(recv.Type()) != h.typ || h.acquiring[fn] || !h.acquires(fd, recv) {
					continue
				}
				h.acquiring[fn], changed = true, true
			}
		}
	}
}

// acquires reports whether a function acquires through a variable.
func (h *handles) acquires(in *ast.FuncDecl, v *types.Var) bool {
	found := false
	ast.Inspect(in, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return !found
		}
		sel := selector(call)
		if sel == nil || h.variable(sel.X) != v {
			return !found
		}
		fn, ok := h.info.Uses[sel.Sel].(*types.Func)
		if ok && h.dispatched(call) {
			for m := range h.acquiring {
				found = found || m.Name() == fn.Name()
			}
		}
		found = found || ok && h.acquiring[fn.Origin()]
		return !found
	})
	return found
}

// How far a handle is followed from a parameter to the calls.
const farthest = 4

// fresh reports whether an expression may be a handle that nobody acquired through.
func (h *handles) fresh(e ast.Expr, depth int) bool {
	e = ast.Unparen(orNone(e))
	if un, ok := e.(*ast.UnaryExpr); ok && un.Op == token.AND {
		e = ast.Unparen(un.X)
	}
	switch x := e.(type) {
	case *ast.CompositeLit:
		return true
	case *ast.CallExpr:
		return h.makes(x, depth)
	case *ast.Ident:
		v := h.variable(x)
		decl := h.declared(x.Pos())
		if v == nil || decl == nil || v.Parent() == h.pass.Pkg.Scope() || h.acquires(decl, v) {
			return false
		}
		for _, def := range h.res.Defs().All(v) {
			if _, empty := v.Type().Underlying().(*types.Struct); empty && def.Zero {
				return true // var l lease
			}
			if def.Rhs != nil && depth < farthest && h.fresh(def.Rhs, depth+1) {
				return true
			}
		}
		return h.res.Defs().Given(v) && h.given(decl, v, depth)
	}
	return false
}

// makes reports whether the function that is called may give a handle that nobody
// acquired through.
func (h *handles) makes(call *ast.CallExpr, depth int) bool {
	fn, _ := typeutil.Callee(h.info, call).(*types.Func)
	if fn == nil || fn.Pkg() != h.pass.Pkg || depth >= farthest {
		return true
	}
	decl := h.declared(fn.Origin().Pos())
	if decl == nil || decl.Body == nil {
		return true
	}
	found := false
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			results := n.Results
			if len(results) == 0 && decl.Type.Results != nil {
				for _, f := range decl.Type.Results.List {
					for _, name := range f.Names {
						results = append(results, name)
					}
				}
			}
			for _, e := range results {
				found = found || h.isHandle(h.info.TypeOf(e)) && h.fresh(e, depth+1)
			}
		}
		return !found
	})
	return found
}

// isHandle reports whether a value may be a handle: of the type, or of an interface that
// it implements.
func (h *handles) isHandle(t types.Type) bool {
	if all, ok := t.(*types.Tuple); ok {
		for v := range all.Variables() {
			if h.isHandle(v.Type()) {
				return true
			}
		}
		return false
	}
	if t == nil {
		return false
	}
	of, ok := t.Underlying().(*types.Interface)
	return named(t) == h.typ || ok && types.Implements(types.NewPointer(h.typ.Type()), of)
}

// given reports whether one of the calls of a function gives it, as the parameter or
// the receiver v, a handle that nobody acquired through.
func (h *handles) given(decl *ast.FuncDecl, v *types.Var, depth int) bool {
	fn := h.object(decl)
	if fn == nil || depth >= farthest {
		return false
	}
	calls, _ := h.res.Calls(fn)
	sig := fn.Signature()
	for _, call := range calls {
		if v == sig.Recv() {
			if sel := selector(call); sel != nil && h.fresh(sel.X, depth+1) {
				return true
			}
			continue
		}
		for i := range sig.Params().Len() {
			if sig.Params().At(i) == v && i < len(call.Args) && h.fresh(call.Args[i], depth+1) {
				return true
			}
		}
	}
	return false
}
