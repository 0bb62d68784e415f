package locks

import (
	"go/ast"
	"go/constant"
	"go/types"
	"strings"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/locklint/locklint/internal/defs"
	"github.com/locklint/locklint/internal/keyexpr"
)

// value classifies the value a lock is created with.
func (c *collector) value(e ast.Expr, f *Func) Value {
	v := Value{Expr: e, Param: keyexpr.NoParam}
	if e == nil {
		return v
	}
	v.Text = short(types.ExprString(e))
	var scope *keyexpr.Scope
	if f != nil {
		scope = f.Scope
	}
	if k := c.fold.Fold(e, scope); k.Bare() {
		if h := k.Parts[0].Hole; h.Param != keyexpr.NoParam {
			v.Kind = ValueKept
			if h.Param != keyexpr.Recv && h.Path == "" {
				v.Param = h.Param
			}
			if k := c.fieldConst(e); k != ValueUnknown {
				v.Kind = k
			}
			return v
		}
	}
	v.Kind = c.valueKind(e, 0)
	if v.Kind == ValueFresh && c.keptVar(e) {
		v.Kind = ValueKept
	}
	return v
}

// keptVar reports whether a value is named: a variable or a field can be compared
// later.
func (c *collector) keptVar(e ast.Expr) bool {
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident:
		return c.defs.Var(x) != nil
	case *ast.SelectorExpr:
		return true
	case *ast.CallExpr: // string(token), token.String(), fmt.Sprint(token)
		if tv := c.info.Types[x.Fun]; tv.IsType() && len(x.Args) == 1 {
			return c.keptVar(x.Args[0])
		}
		if sel, ok := ast.Unparen(x.Fun).(*ast.SelectorExpr); ok && c.info.Selections[sel] != nil && c.keptVar(sel.X) {
			return true
		}
		for _, a := range x.Args {
			if v := c.defs.Var(a); v != nil && c.varying(v) {
				return true
			}
		}
	case *ast.BinaryExpr:
		return c.keptVar(x.X) || c.keptVar(x.Y)
	}
	return false
}

// varying reports whether a variable may differ between acquisitions.
func (c *collector) varying(v *types.Var) bool {
	if defs.IsGlobal(v) {
		return false
	}
	d, ok := c.defs.Single(v)
	if !ok || d.Rhs == nil {
		return true
	}
	k := c.valueKind(d.Rhs, 1)
	return k == ValueFresh || k == ValueUnknown || k == ValueKept
}

const maxValueDepth = 10

// valueKind looks at where a value comes from. A local counts as what it is
// assigned once; a variable from elsewhere counts as kept.
func (c *collector) valueKind(e ast.Expr, depth int) ValueKind {
	if depth > maxValueDepth || e == nil {
		return ValueUnknown
	}
	e = ast.Unparen(e)
	tv := c.info.Types[e]
	if tv.Value != nil || tv.IsNil() {
		return ValueConst
	}
	switch x := e.(type) {
	case *ast.CompositeLit:
		for _, el := range x.Elts {
			if kv, ok := el.(*ast.KeyValueExpr); ok {
				el = kv.Value
			}
			if k := c.valueKind(el, depth+1); k != ValueConst {
				return ValueKept
			}
		}
		return ValueConst // struct{}{}, []byte{1}
	case *ast.Ident:
		v := c.defs.Var(x)
		if v == nil {
			return ValueUnknown
		}
		d, ok := c.defs.Single(v)
		if defs.IsGlobal(v) {
			if !ok || d.Rhs == nil {
				return ValueProcess
			}
			if k := c.valueKind(d.Rhs, depth+1); k == ValueConst {
				return ValueConst
			}
			return ValueProcess
		}
		if !ok || d.Rhs == nil {
			return c.anyOf(v, depth)
		}
		if d.Multi && d.Index != 0 {
			return ValueKept
		}
		k := c.valueKind(d.Rhs, depth+1)
		if k == ValueUnknown {
			k = ValueKept
		}
		return k
	case *ast.SelectorExpr:
		if c.info.Selections[x] == nil { // pkg.Var
			if _, ok := c.info.Uses[x.Sel].(*types.Var); ok {
				return ValueProcess
			}
			return ValueUnknown
		}
		if k := c.fieldConst(x); k != ValueUnknown {
			return k
		}
		return ValueKept
	case *ast.UnaryExpr:
		return c.valueKind(x.X, depth+1)
	case *ast.BinaryExpr:
		return c.joinKinds(depth, x.X, x.Y)
	case *ast.CallExpr:
		return c.callKind(x, depth)
	}
	return ValueUnknown
}

// anyOf is the kind of a local that is assigned in several places.
func (c *collector) anyOf(v *types.Var, depth int) ValueKind {
	var parts []ast.Expr
	for _, d := range c.defs.All(v) {
		if d.Zero {
			continue
		}
		if d.Rhs == nil || d.Multi && d.Index != 0 {
			return ValueKept
		}
		parts = append(parts, d.Rhs)
	}
	if len(parts) == 0 || c.defs.Escapes(v) || c.defs.Given(v) {
		return ValueKept
	}
	if k := c.joinKinds(depth, parts...); k != ValueUnknown {
		return k
	}
	return ValueKept
}

// fieldConst tells whether a field of an unexported struct type, or an unexported
// field, is given nothing but constants in its package.
func (c *collector) fieldConst(e ast.Expr) ValueKind {
	x, ok := ast.Unparen(e).(*ast.SelectorExpr)
	if !ok {
		return ValueUnknown
	}
	s := c.info.Selections[x]
	if s == nil || s.Kind() != types.FieldVal {
		return ValueUnknown
	}
	f, ok := s.Obj().(*types.Var)
	if !ok || f.Exported() || f.Pkg() != c.pass.Pkg || c.defs.FieldTaken(f) {
		return ValueUnknown
	}
	all := c.defs.Fields(f)
	for _, d := range all {
		if d.Rhs == nil || d.Multi || c.info.Types[d.Rhs].Value == nil {
			return ValueUnknown
		}
	}
	if len(all) == 0 {
		return ValueUnknown
	}
	return ValueConst
}

// joinKinds is the kind of a value put together from several: the most varying
// part decides.
func (c *collector) joinKinds(depth int, parts ...ast.Expr) ValueKind {
	best := ValueConst
	for _, p := range parts {
		switch k := c.valueKind(p, depth+1); k {
		case ValueConst:
		case ValueHost, ValueProcess:
			if best == ValueConst {
				best = k
			}
		case ValueSecond:
			if best == ValueConst || best == ValueHost || best == ValueProcess {
				best = ValueSecond
			}
		default:
			return k
		}
	}
	return best
}

func (c *collector) callKind(x *ast.CallExpr, depth int) ValueKind {
	if tv := c.info.Types[x.Fun]; tv.IsType() {
		if len(x.Args) != 1 {
			return ValueUnknown
		}
		return c.valueKind(x.Args[0], depth+1)
	}
	fn, ok := typeutil.Callee(c.info, x).(*types.Func)
	if !ok {
		return ValueUnknown
	}
	switch fn.FullName() {
	case "os.Hostname", "os.Getpid", "os.Getppid":
		return ValueHost
	case "os.Getenv":
		if len(x.Args) == 1 {
			if tv := c.info.Types[x.Args[0]]; tv.Value != nil && tv.Value.Kind() == constant.String && hostVariable(constant.StringVal(tv.Value)) {
				return ValueHost
			}
		}
		return ValueUnknown
	case "(time.Time).Unix":
		return ValueSecond
	case "time.Now", "(time.Time).UnixNano", "(time.Time).UnixMicro", "(time.Time).UnixMilli":
		return ValueFresh
	case "fmt.Sprintf", "fmt.Sprint", "strings.Join", "strconv.Itoa", "strconv.FormatInt", "strconv.FormatUint", "strconv.Quote":
		var parts []ast.Expr
		for _, a := range x.Args {
			if lit, ok := ast.Unparen(a).(*ast.CompositeLit); ok {
				parts = append(parts, lit.Elts...)
				continue
			}
			parts = append(parts, a)
		}
		k := c.joinKinds(depth, parts...)
		return k
	}
	if generator(fn) {
		return ValueFresh
	}
	// A method of something made here: time.Now().UTC().Unix(), uuid.New().String().
	if sel, ok := ast.Unparen(x.Fun).(*ast.SelectorExpr); ok && c.info.Selections[sel] != nil && c.decls[fn.Origin()] == nil {
		if fn.Pkg() != nil && fn.Pkg().Path() == "time" && fn.Name() == "Format" {
			return c.format(x, sel, depth)
		}
		if k := c.valueKind(sel.X, depth+1); k == ValueFresh || k == ValueHost || k == ValueSecond {
			return k
		}
	}
	// A helper of this package: what it returns.
	if d := c.decls[fn.Origin()]; d != nil && depth < maxValueDepth {
		return c.returned(d, depth)
	}
	return ValueUnknown
}

// format judges time.Now().Format(layout) by the finest unit of the layout.
func (c *collector) format(x *ast.CallExpr, sel *ast.SelectorExpr, depth int) ValueKind {
	k := c.valueKind(sel.X, depth+1)
	if k != ValueFresh {
		return k
	}
	tv := c.info.Types[x.Args[0]]
	if tv.Value == nil || tv.Value.Kind() != constant.String {
		return ValueUnknown
	}
	if strings.Contains(constant.StringVal(tv.Value), ".0") || strings.Contains(constant.StringVal(tv.Value), ".9") {
		return ValueFresh
	}
	return ValueSecond
}

// returned classifies what a helper returns: fresh if it draws on a generator,
// else the kind all its returns share.
func (c *collector) returned(d *ast.FuncDecl, depth int) ValueKind {
	fresh := false
	ast.Inspect(d.Body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if fn, ok := typeutil.Callee(c.info, call).(*types.Func); ok && (generator(fn) || fn.FullName() == "(time.Time).UnixNano") {
				fresh = true
			}
		}
		return true
	})
	if fresh {
		return ValueFresh
	}
	var kinds []ValueKind
	ast.Inspect(d.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			if len(n.Results) == 0 {
				kinds = append(kinds, ValueUnknown)
				return true
			}
			k := c.valueKind(n.Results[0], depth+2)
			kinds = append(kinds, k)
		}
		return true
	})
	if len(kinds) == 0 {
		return ValueUnknown
	}
	for _, k := range kinds {
		if k != kinds[0] {
			return ValueUnknown
		}
	}
	if kinds[0] == ValueKept {
		return ValueUnknown // a parameter or a field: not known here
	}
	return kinds[0]
}

// generator reports whether a function makes unique values.
func generator(fn *types.Func) bool {
	if fn == nil || fn.Pkg() == nil {
		return false
	}
	switch path := fn.Pkg().Path(); path {
	case "crypto/rand", "math/rand", "math/rand/v2":
		return true
	default:
		for _, p := range []string{"uuid", "xid", "ulid", "ksuid", "nanoid", "shortuuid", "sonyflake", "snowflake"} {
			if strings.Contains(path, p) {
				return true
			}
		}
	}
	return false
}

func hostVariable(name string) bool {
	name = strings.ToUpper(name)
	return strings.Contains(name, "HOST") || strings.Contains(name, "POD") || strings.Contains(name, "NODE") || strings.Contains(name, "WORKER")
}

func short(s string) string {
	if i := strings.IndexByte(s, '\n'); i >= 0 {
		s = s[:i]
	}
	if r := []rune(s); len(r) > 60 {
		s = string(r[:57]) + "..."
	}
	return s
}
