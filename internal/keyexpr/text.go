package keyexpr

import (
	"go/ast"
	"go/constant"
	"go/types"
	"strings"
)

// text folds calls that only put text together.
func (f *Folder) text(fn *types.Func, x *ast.CallExpr, s *Scope, in env, depth int) (Key, bool) {
	fold := func(e ast.Expr) Key { return f.fold(e, s, in, depth+1) }
	switch fn.FullName() {
	case "fmt.Sprintf":
		return f.sprintf(x, fold)
	case "fmt.Sprint":
		if len(x.Args) == 1 && !x.Ellipsis.IsValid() {
			return fold(x.Args[0]), true
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
		if k := fold(sel.X); k.Bare() {
			return k, true
		}
	}
	return Key{}, false
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
		case 's', 'v', 'd':
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
