package keyexpr

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/locklint/locklint/internal/defs"
)

// A Folder folds key expressions of one package.
type Folder struct {
	Info *types.Info
	Defs *defs.Index
	// Body returns the declaration of a function of this package, nil if there is
	// none.
	Body func(*types.Func) *ast.FuncDecl
	// Helper returns the key that a function of another package builds from its
	// parameters.
	Helper func(*types.Func) (Key, bool)
	// Fset shows positions in identities.
	Fset *token.FileSet
}

// A Scope is the function in which an expression stands: its parameters are the
// ones that a summary speaks of.
type Scope struct {
	Recv   *types.Var
	Params []*types.Var
}

// ScopeOf returns the scope of a declared function.
func ScopeOf(fn *types.Func) *Scope {
	if fn == nil {
		return &Scope{}
	}
	sig := fn.Type().(*types.Signature)
	s := &Scope{Recv: sig.Recv()}
	for p := range sig.Params().Variables() {
		s.Params = append(s.Params, p)
	}
	return s
}

// index returns the number of the parameter that v is.
func (s *Scope) index(v *types.Var) int {
	if s == nil {
		return NoParam
	}
	if v == s.Recv && v != nil {
		return Recv
	}
	for i, p := range s.Params {
		if p == v {
			return i
		}
	}
	return NoParam
}

// An env is the inlining of one call of a helper.
type env struct {
	vars map[*types.Var]Key // the parameters, as the keys of the arguments
	body *ast.BlockStmt
	args string // tells calls with other arguments apart
	site string // tells all calls apart
	up   *env
}

// lookup returns the key that a parameter is bound to.
func (in *env) lookup(v *types.Var) (Key, bool) {
	for ; in != nil; in = in.up {
		if k, ok := in.vars[v]; ok {
			return k, true
		}
	}
	return Key{}, false
}

// local qualifies a variable of an inlined helper: it may hold something else in a
// call with other arguments.
func (in *env) local(v *types.Var) string {
	for ; in != nil; in = in.up {
		if in.body.Pos() <= v.Pos() && v.Pos() < in.body.End() {
			return in.args
		}
	}
	return ""
}

const maxDepth = 12

// Fold folds a key expression. The result has no parts if nothing is known.
func (f *Folder) Fold(e ast.Expr, s *Scope) Key { return f.fold(e, s, nil, 0) }

func (f *Folder) fold(e ast.Expr, s *Scope, in *env, depth int) Key {
	if e == nil {
		return Key{}
	}
	e = ast.Unparen(e)
	if depth > maxDepth {
		return f.opaque(e, in)
	}
	if tv, ok := f.Info.Types[e]; ok && tv.Value != nil {
		k := Lit(constText(tv.Value))
		k.Names = f.constName(e)
		return k
	}
	switch x := e.(type) {
	case *ast.BinaryExpr:
		if x.Op == token.ADD {
			return f.sum(x, s, in, depth)
		}
	case *ast.Ident:
		return f.ident(x, s, in, depth)
	case *ast.SelectorExpr:
		return f.selector(x, s, in, depth)
	case *ast.CallExpr:
		return f.call(x, s, in, depth)
	case *ast.StarExpr:
		return f.fold(x.X, s, in, depth+1)
	case *ast.UnaryExpr:
		if x.Op == token.AND {
			return f.fold(x.X, s, in, depth+1)
		}
	case *ast.IndexExpr:
		if h := f.passed(x, s); h != nil {
			return Of(h)
		}
		base, idx := f.fold(x.X, s, in, depth+1), f.fold(x.Index, s, in, depth+1)
		if base.Bare() && idx.Known() {
			h := *base.Parts[0].Hole
			h.Ident += "[" + identOf(idx) + "]"
			h.Text += "[" + idx.String() + "]"
			if h.Shape != "" {
				h.Shape += "[" + shapeOf(idx) + "]"
			}
			h.Path += "[" + identOf(idx) + "]"
			return Of(&h)
		}
	}
	return f.opaque(e, in)
}

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

// sum folds a + b + c + …, however long.
func (f *Folder) sum(x *ast.BinaryExpr, s *Scope, in *env, depth int) Key {
	var terms []Key
	for {
		terms = append(terms, f.fold(x.Y, s, in, depth+1))
		left, ok := ast.Unparen(x.X).(*ast.BinaryExpr)
		if !ok || left.Op != token.ADD || f.Info.Types[left].Value != nil {
			break
		}
		x = left
	}
	terms = append(terms, f.fold(x.X, s, in, depth+1))
	slices.Reverse(terms)
	return Join(terms...)
}

// opaque is a value that is equal to nothing but the very same expression; in a
// helper, in calls with the same arguments.
func (f *Folder) opaque(e ast.Expr, in *env) Key {
	h := &Hole{Ident: fmt.Sprintf("@%d", e.Pos()), Param: NoParam, Text: short(types.ExprString(e))}
	if in != nil {
		h.Ident += in.args
	}
	return Of(h)
}

// once is a value that is another one each time the expression is evaluated.
func (f *Folder) once(e ast.Expr, in *env) Key {
	k := f.opaque(e, in)
	if in != nil {
		k.Parts[0].Hole.Ident += in.site
	}
	return k
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
		k := f.global(v, depth)
		k.Names = append(k.Names, v.Name())
		return k
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
			k := f.global(v, depth)
			k.Names = append(k.Names, v.Name())
			return k
		}
		return f.opaque(x, in)
	}
	if sel.Kind() != types.FieldVal {
		return f.opaque(x, in)
	}
	if e := f.written(x); e != nil && depth < maxDepth {
		k := f.fold(e, s, in, depth+1)
		k.Names = append(k.Names, x.Sel.Name)
		return k
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
	if h.Shape == "" && h.Path == "" && h.Var != nil {
		// A field of a named type is the same field in every function.
		h.Shape = recvShape(h.Var)
	}
	for _, name := range fieldPath(sel) {
		h.Ident += "." + name
		h.Text += "." + name
		h.Path += "." + name
		if h.Shape != "" {
			h.Shape += "." + name
		}
	}
	k := Of(&h)
	k.Names = []string{x.Sel.Name}
	return k
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
		k.Names = append(k.Names, fn.Name())
		return k
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
	k := Of(call.Hole())
	k.Names = []string{fn.Name()}
	return k
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
	ast.Inspect(body, func(n0 ast.Node) bool {
		switch n0.(type) {
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

func (f *Folder) constName(e ast.Expr) []string {
	var names []string
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if c, ok := f.Info.Uses[id].(*types.Const); ok {
				names = append(names, c.Name())
			}
		}
		return true
	})
	return names
}

func constText(v constant.Value) string {
	switch v.Kind() {
	case constant.String:
		return constant.StringVal(v)
	case constant.Float:
		x, _ := constant.Float64Val(v)
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	return v.ExactString()
}

// varID identifies a variable within the package.
func varID(v *types.Var) string { return fmt.Sprintf("%s#%d", v.Name(), v.Pos()) }

// recvShape identifies the receiver of all methods of one type.
func recvShape(v *types.Var) string {
	t := v.Type()
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		return "recv:" + types.TypeString(n.Origin().Obj().Type(), nil)
	}
	return ""
}

func identOf(k Key) string {
	var b strings.Builder
	for _, p := range k.Parts {
		if p.Hole != nil {
			b.WriteString("{" + p.Hole.Ident + "}")
			continue
		}
		fmt.Fprintf(&b, "%q", p.Lit)
	}
	return b.String()
}

func shapeOf(k Key) string {
	var b strings.Builder
	for _, p := range k.Parts {
		if p.Hole != nil {
			b.WriteString("{" + p.Hole.Shape + "}")
			continue
		}
		fmt.Fprintf(&b, "%q", p.Lit)
	}
	return b.String()
}

// text shows a key inside another one.
func (k Key) text() string {
	if k.Bare() {
		return k.Parts[0].Hole.Text
	}
	if len(k.Holes()) == 0 {
		return fmt.Sprintf("%q", k.String())
	}
	return k.String()
}

func short(s string) string {
	if i := strings.IndexByte(s, '\n'); i >= 0 {
		s = s[:i]
	}
	if len(s) > 60 {
		return s[:57] + "..."
	}
	return s
}
