package keyexpr

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strconv"

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
}

// maxDepth bounds how far an expression is followed.
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
		return Lit(constText(tv.Value)).called(f.constNames(e)...)
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
			return Of(base.Parts[0].Hole.below("["+identOf(idx)+"]", "["+shapeOf(idx)+"]", "["+idx.String()+"]"))
		}
	}
	return f.opaque(e, in)
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

// constNames lists the constants that a constant expression is built from.
func (f *Folder) constNames(e ast.Expr) []string {
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
