package keyexpr

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/types/typeutil"
)

// call folds a call: conversions and formatting are seen through, helpers of this
// package with one return are inlined, any other call is a hole by its name.
func (f *Folder) call(x *ast.CallExpr, s *Scope, in *env, depth int) Key {
	if tv, ok := f.Info.Types[x.Fun]; ok && tv.IsType() {
		if len(x.Args) != 1 {
			return f.opaque(x, in)
		}
		k := f.fold(x.Args[0], s, in, depth+1)
		if !keepsText(f.Info.TypeOf(x.Args[0]), tv.Type) {
			name := types.ExprString(x.Fun)
			k = Of(&Hole{Ident: name + "(" + identOf(k) + ")", Param: NoParam, Text: name + "(" + k.text() + ")"})
		}
		return k
	}
	if lit := f.literal(x.Fun); lit != nil {
		if k, ok := f.inline(lit.Type, lit.Body, nil, Key{}, x, s, in, depth); ok {
			return k
		}
		return f.opaque(x, in)
	}
	fn, ok := typeutil.Callee(f.Info, x).(*types.Func)
	if !ok {
		return f.funcValue(x, s, in, depth)
	}
	if k, ok := f.text(fn, x, s, in, depth); ok {
		return k
	}
	if k, ok := f.helper(fn, x, s, in, depth); ok {
		return k.called(fn.Name())
	}
	if fresh(fn) {
		return f.once(x, in)
	}
	return f.named(fn, x, s, in, depth)
}

// named is the hole for a call that is not seen through: the same function with
// the same arguments.
func (f *Folder) named(fn *types.Func, x *ast.CallExpr, s *Scope, in *env, depth int) Key {
	call := &Call{Func: fn.Origin().FullName(), Name: fn.Name()}
	call.Recv = f.recv(x, s, in, depth)
	for _, a := range x.Args {
		call.Args = append(call.Args, f.fold(a, s, in, depth+1))
	}
	return Of(call.Hole()).called(fn.Name())
}

// funcValue is the hole for a call of a func that a field or a parameter holds. One
// without arguments may well give something new each time.
func (f *Folder) funcValue(x *ast.CallExpr, s *Scope, in *env, depth int) Key {
	base := f.fold(x.Fun, s, in, depth+1)
	if !base.Bare() || base.Parts[0].Hole.Var == nil || x.Ellipsis.IsValid() || len(x.Args) == 0 {
		return f.opaque(x, in)
	}
	call := &Call{Func: "func", Name: "call", Recv: base}
	for _, a := range x.Args {
		call.Args = append(call.Args, f.fold(a, s, in, depth+1))
	}
	return Of(call.Hole())
}

// Recv folds the receiver of a call of a method, with the embedded fields that it is
// promoted through. The result has no parts for any other call.
func (f *Folder) Recv(x *ast.CallExpr, s *Scope) Key { return f.recv(x, s, nil, 0) }

func (f *Folder) recv(x *ast.CallExpr, s *Scope, in *env, depth int) Key {
	sel, ok := ast.Unparen(x.Fun).(*ast.SelectorExpr)
	if !ok {
		return Key{}
	}
	m := f.Info.Selections[sel]
	if m == nil || m.Kind() != types.MethodVal {
		return Key{}
	}
	k := f.fold(sel.X, s, in, depth+1)
	if len(m.Index()) == 1 {
		return k
	}
	k, _ = k.field("." + strings.Join(walkFields(m.Recv(), m.Index()[:len(m.Index())-1]), "."))
	return k
}

// literal returns the func literal that a call runs: in place, or through a local
// that holds one.
func (f *Folder) literal(fun ast.Expr) *ast.FuncLit {
	lit, _ := f.Defs.Resolve(fun).(*ast.FuncLit)
	return lit
}

// helper inlines a function of this package, or takes the key that another
// package's function is known to build.
func (f *Folder) helper(fn *types.Func, x *ast.CallExpr, s *Scope, in *env, depth int) (Key, bool) {
	fn = fn.Origin()
	if f.Body != nil {
		if d := f.Body(fn); d != nil && d.Body != nil {
			var recv *ast.Ident
			if d.Recv != nil && len(d.Recv.List) == 1 && len(d.Recv.List[0].Names) == 1 {
				recv = d.Recv.List[0].Names[0]
			}
			return f.inline(d.Type, d.Body, recv, f.recv(x, s, in, depth), x, s, in, depth)
		}
	}
	if f.Helper == nil {
		return Key{}, false
	}
	k, ok := f.Helper(fn)
	if !ok {
		return Key{}, false
	}
	return Subst(k, f.recv(x, s, in, depth), func(i int) Key {
		if i < len(x.Args) && !x.Ellipsis.IsValid() {
			return f.fold(x.Args[i], s, in, depth+1)
		}
		return Key{}
	})
}

// inline folds the one return of a function with its parameters bound.
func (f *Folder) inline(t *ast.FuncType, body *ast.BlockStmt, recv *ast.Ident, recvKey Key, x *ast.CallExpr, s *Scope, in *env, depth int) (Key, bool) {
	ret := onlyReturn(body)
	if ret == nil || x.Ellipsis.IsValid() || variadic(t) {
		return Key{}, false
	}
	to := &env{vars: map[*types.Var]Key{}, body: body, site: fmt.Sprintf("@%d", x.Pos()), up: in}
	var ids []string
	bind := func(v *types.Var, k Key) {
		to.vars[v] = k
		ids = append(ids, identOf(k))
	}
	if recv != nil {
		if !recvKey.Known() {
			return Key{}, false // a method expression
		}
		if v, ok := f.Info.Defs[recv].(*types.Var); ok {
			bind(v, recvKey)
		}
	}
	i := 0
	for _, field := range t.Params.List {
		for _, name := range field.Names {
			if v, ok := f.Info.Defs[name].(*types.Var); ok && i < len(x.Args) {
				if !f.Defs.Fixed(v) {
					return Key{}, false
				}
				bind(v, f.fold(x.Args[i], s, in, depth+1))
			}
			i++
		}
		if len(field.Names) == 0 {
			i++
		}
	}
	to.args = "(" + strings.Join(ids, ",") + ")"
	if in != nil {
		to.args, to.site = to.args+in.args, to.site+in.site
	}
	k := f.fold(ret, s, to, depth+1)
	return k, k.Known()
}

func variadic(t *ast.FuncType) bool {
	n := len(t.Params.List)
	if n == 0 {
		return false
	}
	_, ok := t.Params.List[n-1].Type.(*ast.Ellipsis)
	return ok
}

// Result folds what a function returns, if it has one return of one value.
func (f *Folder) Result(d *ast.FuncDecl, s *Scope) Key {
	if d.Body == nil {
		return Key{}
	}
	ret := onlyReturn(d.Body)
	if ret == nil {
		return Key{}
	}
	return f.fold(ret, s, nil, 0)
}

// onlyReturn returns what a function returns, if its last statement is its only
// return and there is one result.
func onlyReturn(body *ast.BlockStmt) ast.Expr {
	if len(body.List) == 0 {
		return nil
	}
	last, ok := body.List[len(body.List)-1].(*ast.ReturnStmt)
	if !ok || len(last.Results) != 1 {
		return nil
	}
	n := 0
	ast.Inspect(body, func(x ast.Node) bool {
		switch x.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			n++
		}
		return true
	})
	if n != 1 {
		return nil
	}
	return last.Results[0]
}
