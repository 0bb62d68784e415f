package rewrite

import (
	"go/ast"
	"go/format"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/types/typeutil"
)

// carry returns the text of an expression as it can stand at another position and
// mean the same: every name in it means the same there, and nothing it reads is
// assigned between the two. The expression may stand in another function, where it
// may use nothing of that function.
func (d *draft) carry(e ast.Expr, to token.Pos) (text string, ok bool) {
	s := d.planner.sourceAt(e.Pos())
	if s == nil {
		return "", false
	}
	type put struct {
		pos, end token.Pos
		text     string
	}
	var puts []put
	ok = true
	ast.Inspect(e, func(n ast.Node) bool {
		if !ok {
			return false
		}
		switch n := n.(type) {
		case *ast.FuncLit:
			ok = false
		case *ast.SelectorExpr:
			if id, isID := n.X.(*ast.Ident); isID {
				if pn, isPkg := d.info.Uses[id].(*types.PkgName); isPkg {
					if d.lookup(id.Name, to) == pn {
						return false
					}
					q, found := d.qualifier(pn.Imported().Path(), n.Sel.Name, to)
					if !found {
						ok = false
						return false
					}
					puts = append(puts, put{id.Pos(), n.Sel.Pos(), q})
					return false
				}
			}
			inner, good := d.carry(n.X, to)
			if !good {
				ok = false
				return false
			}
			puts = append(puts, put{n.X.Pos(), n.X.End(), inner})
			return false
		case *ast.KeyValueExpr:
			ok = false // keys of fields are not names in scope
		case *ast.Ident:
			obj := d.info.Uses[n]
			if obj == nil {
				ok = false
				return false
			}
			if d.lookup(n.Name, to) == obj {
				if v, isVar := obj.(*types.Var); isVar && d.assignedBetween(v, to, n.Pos()) {
					ok = false
				}
				return false
			}
			// A local that is declared later: what it is made of.
			v, isVar := obj.(*types.Var)
			if !isVar {
				ok = false
				return false
			}
			def, single := d.res.Defs().Single(v)
			if !single || def.Rhs == nil || def.Multi || !d.repeatable(def.Rhs) {
				ok = false
				return false
			}
			inner, good := d.carry(def.Rhs, to)
			if !good {
				ok = false
				return false
			}
			if _, isBinary := ast.Unparen(def.Rhs).(*ast.BinaryExpr); isBinary && ast.Expr(n) != ast.Unparen(e) {
				inner = "(" + inner + ")"
			}
			puts = append(puts, put{n.Pos(), n.End(), inner})
		}
		return ok
	})
	if !ok {
		return "", false
	}
	var b strings.Builder
	last := e.Pos()
	for _, x := range puts {
		b.WriteString(s.slice(last, x.pos))
		b.WriteString(x.text)
		last = x.end
	}
	b.WriteString(s.slice(last, e.End()))
	return b.String(), true
}

// repeatable reports whether an expression gives the same however often it is
// evaluated: a token that is made anew is another token.
func (d *draft) repeatable(e ast.Expr) bool {
	ok := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			ok = false
		case *ast.UnaryExpr:
			ok = ok && n.Op != token.ARROW
		case *ast.CallExpr:
			if tv := d.info.Types[n.Fun]; tv.IsType() || tv.IsBuiltin() {
				return ok
			}
			fn, _ := typeutil.Callee(d.info, n).(*types.Func)
			ok = ok && fn != nil && fn.Pkg() != nil && slices.Contains(pure, fn.Pkg().Path()) ||
				ok && fn != nil && formats(fn)
		}
		return ok
	})
	return ok
}

// Packages whose functions have no state.
var pure = []string{"strconv", "strings", "path", "math"}

func formats(fn *types.Func) bool {
	switch fn.FullName() {
	case "fmt.Sprintf", "fmt.Sprint",
		"(time.Duration).Milliseconds", "(time.Duration).Round", "(time.Duration).Truncate", "(time.Duration).String":
		return true
	}
	return false
}

// assignedBetween reports whether a variable may change between two positions.
func (p *planner) assignedBetween(v *types.Var, a, b token.Pos) bool {
	defs := p.res.Defs()
	if v.Pkg() != nil && v.Parent() == v.Pkg().Scope() {
		return false
	}
	if a > b {
		a, b = b, a
	}
	if defs.Escapes(v) && !v.IsField() {
		return true
	}
	for _, x := range defs.All(v) {
		if a < x.Pos && x.Pos < b {
			return true
		}
	}
	return false
}

// spaced formats an argument as gofmt formats the value of a field.
func spaced(text string) string {
	const head = "package p\n\nvar _ = "
	out, err := format.Source([]byte(head + text + "\n"))
	if err != nil || strings.Contains(text, "\n") {
		return text
	}
	return strings.TrimSuffix(strings.TrimPrefix(string(out), head), "\n")
}

// paren puts parentheses around the text of an expression unless it is one operand.
func paren(text string) string {
	depth := 0
	for _, r := range text {
		switch r {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case ' ', '*', '/', '+', '-', '<', '>', '&', '|', '^', '%':
			if depth == 0 {
				return "(" + text + ")"
			}
		}
	}
	return text
}
