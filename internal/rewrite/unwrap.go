package rewrite

import (
	"go/ast"
	"go/token"
	"strings"

	"golang.org/x/tools/go/ast/edge"

	"github.com/locklint/locklint/internal/locks"
)

// unwrap takes away a GET and compare that does nothing but guard a release, once
// the release compares by itself:
//
//	if rdb.Get(ctx, key).Val() == token {
//		rdb.Del(ctx, key)
//	}
//
// Where the answer of the GET is used in another way the branch stays; it does no
// harm.
func (d *draft) unwrap(m *locks.Member) {
	cur, ok := d.root.FindNode(m.Call)
	if !ok {
		return
	}
	stmt, ok := listed(cur)
	if !ok {
		return
	}
	switch st := stmt.Node().(type) {
	case *ast.ExprStmt:
	case *ast.AssignStmt:
		for _, l := range st.Lhs {
			if !blank(l) {
				return
			}
		}
	default:
		return
	}
	body := stmt.Parent()
	is, ok := body.Parent().Node().(*ast.IfStmt)
	if k, _ := body.ParentEdge(); !ok || k != edge.IfStmt_Body || is.Else != nil || len(is.Body.List) != 1 {
		return
	}
	if k, _ := body.Parent().ParentEdge(); !inList(k) || !d.guards(is, m.Raced().Call) {
		return
	}
	s := d.sourceAt(is.Pos())
	st := stmt.Node()
	if s == nil || hasComment(s.slice(is.Pos(), st.Pos())) || hasComment(s.slice(st.End(), is.End())) {
		return
	}
	d.replace(is.Pos(), st.Pos(), "")
	d.replace(st.End(), is.End(), "")
}

func hasComment(text string) bool {
	return strings.Contains(text, "//") || strings.Contains(text, "/*")
}

// guards reports whether an if asks for nothing but that a GET answered the owner.
func (d *draft) guards(is *ast.IfStmt, get *ast.CallExpr) bool {
	u, ok := d.useOf(get)
	if !ok {
		return false
	}
	cond := ast.Unparen(is.Cond)
	if is.Init == nil {
		return u.method == "Val" && d.equals(cond, func(e ast.Expr) bool { return ast.Unparen(e) == u.expr })
	}
	as, ok := is.Init.(*ast.AssignStmt)
	if !ok || as.Tok != token.DEFINE || len(as.Rhs) != 1 || ast.Unparen(as.Rhs[0]) != u.expr {
		return false
	}
	v := d.variable(as.Lhs[0])
	if v == nil {
		return false
	}
	answer := func(e ast.Expr) bool { return d.variable(e) == v }
	if u.method == "Val" || len(as.Lhs) == 2 && blank(as.Lhs[1]) {
		return d.equals(cond, answer)
	}
	if u.method != "Result" || len(as.Lhs) != 2 {
		return false
	}
	both, ok := cond.(*ast.BinaryExpr)
	if !ok || both.Op != token.LAND {
		return false
	}
	noErr, ok := ast.Unparen(both.X).(*ast.BinaryExpr)
	return ok && noErr.Op == token.EQL && d.variable(noErr.X) == d.variable(as.Lhs[1]) &&
		d.info.Types[noErr.Y].IsNil() && d.equals(ast.Unparen(both.Y), answer)
}

// equals reports whether a condition compares an answer with a variable or field.
func (d *draft) equals(cond ast.Expr, answer func(ast.Expr) bool) bool {
	b, ok := cond.(*ast.BinaryExpr)
	return ok && b.Op == token.EQL && (answer(b.X) && isName(b.Y) || answer(b.Y) && isName(b.X))
}
