package keyexpr

import (
	"go/ast"
	"go/constant"
	"go/types"
	"strings"
)

// text folds calls that only put text together.
func (f *Folder) text(fn *types.Func, x *ast.CallExpr, s *Scope, in *env, depth int) (Key, bool) {
	fold := func(e ast.Expr) Key { return f.fold(e, s, in, depth+1) }
	sig := fn.Type().(*types.Signature)
	if n := sig.Params().Len(); len(x.Args) < n && !(sig.Variadic() && len(x.Args) == n-1) {
		return Key{}, false // strings.Join(f()): the results of one call
	}
	switch fn.FullName() {
	case "fmt.Sprintf":
		return f.sprintf(x, fold)
	case "fmt.Sprint":
		if len(x.Args) == 1 && !x.Ellipsis.IsValid() {
			return f.printed(x.Args[0], fold), true
		}
	case "strings.Join":
		return f.join(x, fold)
	case "strconv.Itoa":
		return fold(x.Args[0]), true
	case "strconv.FormatInt", "strconv.FormatUint":
		if tv := f.Info.Types[x.Args[1]]; tv.Value != nil && tv.Value.ExactString() == "10" {
			return fold(x.Args[0]), true
		}
	case "strings.Clone":
		return fold(x.Args[0]), true
	}
	// x.String() is what %s and %v print.
	if sel, ok := ast.Unparen(x.Fun).(*ast.SelectorExpr); ok && fn.Name() == "String" && len(x.Args) == 0 && f.Info.Selections[sel] != nil {
		if k := f.stringOf(sel.X, fold); k.Known() {
			return k, true
		}
	}
	return Key{}, false
}

// stringOf folds what the String method of a value answers. That of a type of
// strings is taken to answer the string.
func (f *Folder) stringOf(e ast.Expr, fold func(ast.Expr) Key) Key {
	k := fold(e)
	if t := f.Info.TypeOf(e); t != nil && isString(t) {
		return k
	}
	return k.asString()
}

func isString(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// printed folds an operand that %s or %v prints: by its String method, if it has
// one.
func (f *Folder) printed(e ast.Expr, fold func(ast.Expr) Key) Key {
	if t := f.Info.TypeOf(e); t != nil {
		m, _, _ := types.LookupFieldOrMethod(t, false, nil, "String")
		if fn, ok := m.(*types.Func); ok {
			if sig := fn.Type().(*types.Signature); sig.Params().Len() == 0 && sig.Results().Len() == 1 {
				return f.stringOf(e, fold)
			}
		}
	}
	return fold(e)
}

// sprintf folds a constant format with plain verbs.
func (f *Folder) sprintf(x *ast.CallExpr, fold func(ast.Expr) Key) (Key, bool) {
	if len(x.Args) == 0 || x.Ellipsis.IsValid() {
		return Key{}, false
	}
	fk := fold(x.Args[0])
	if len(fk.Holes()) > 0 {
		return Key{}, false
	}
	format := fk.String()
	args := x.Args[1:]
	out := Key{Names: fk.Names}
	for {
		i := strings.IndexByte(format, '%')
		if i < 0 {
			return Join(out, Lit(format)), len(args) == 0
		}
		out = Join(out, Lit(format[:i]))
		format = format[i+1:]
		if format == "" {
			return Key{}, false
		}
		verb := format[0]
		format = format[1:]
		if verb == '%' {
			out = Join(out, Lit("%"))
			continue
		}
		if len(args) == 0 {
			return Key{}, false
		}
		switch verb {
		case 's', 'v':
			out = Join(out, f.printed(args[0], fold))
		case 'd':
			out = Join(out, fold(args[0]))
		default:
			return Key{}, false // width, %x, %q: text that other code would not write
		}
		args = args[1:]
	}
}

func (f *Folder) join(x *ast.CallExpr, fold func(ast.Expr) Key) (Key, bool) {
	sep, ok := f.Info.Types[x.Args[1]]
	if !ok || sep.Value == nil || sep.Value.Kind() != constant.String {
		return Key{}, false
	}
	lit, ok := f.Defs.Resolve(x.Args[0]).(*ast.CompositeLit)
	if !ok {
		return Key{}, false
	}
	var out Key
	for i, e := range lit.Elts {
		if _, kv := e.(*ast.KeyValueExpr); kv {
			return Key{}, false
		}
		if i > 0 {
			out = Join(out, Lit(constant.StringVal(sep.Value)))
		}
		out = Join(out, fold(e))
	}
	return out, out.Known()
}

// keepsText reports whether a value reads the same after a conversion: a string or
// bytes as they are, an integer in a type that is no narrower.
func keepsText(from, to types.Type) bool {
	a, b := integer(from), integer(to)
	switch {
	case a > 0 && b > 0:
		return b >= a
	case a > 0 || b > 0:
		_, basic := to.Underlying().(*types.Basic)
		return !basic // string(n), int(x); any(n) reads as n
	}
	return true
}

// integer returns the bits of an integer type, 0 for any other.
func integer(t types.Type) int {
	if t == nil {
		return 0
	}
	b, ok := t.Underlying().(*types.Basic)
	if !ok || b.Info()&types.IsInteger == 0 {
		return 0
	}
	switch b.Kind() {
	case types.Int8, types.Uint8:
		return 8
	case types.Int16, types.Uint16:
		return 16
	case types.Int32, types.Uint32:
		return 32
	}
	return 64
}

// fresh reports whether a function gives another value at each call.
func fresh(fn *types.Func) bool {
	if fn.Pkg() == nil {
		return false
	}
	path := fn.Pkg().Path()
	switch path {
	case "time":
		return fn.Name() == "Now" || fn.Name() == "Since" || fn.Name() == "Until"
	case "math/rand", "math/rand/v2", "crypto/rand":
		return true
	}
	for _, p := range []string{"uuid", "xid", "ulid", "ksuid", "nanoid", "shortuuid", "sonyflake", "snowflake"} {
		if strings.Contains(path, p) {
			return strings.HasPrefix(fn.Name(), "New") || strings.HasPrefix(fn.Name(), "Must") ||
				strings.HasPrefix(fn.Name(), "Gen") || strings.HasPrefix(fn.Name(), "Make")
		}
	}
	return false
}
