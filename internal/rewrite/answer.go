package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/locklint/locklint/internal/locks"
)

// An answer rewrites the uses of what SetNX answered to what SetArgs answers.
type answer struct {
	*draft
	cr  *locks.Member
	u   use
	lib string
}

func (a *answer) rewrite() string {
	parent := a.u.cur.Parent()
	expr := a.u.cur
	for {
		if _, ok := parent.Node().(*ast.ParenExpr); !ok {
			break
		}
		expr, parent = parent, parent.Parent()
	}
	switch n := parent.Node().(type) {
	case *ast.ExprStmt, *ast.GoStmt, *ast.DeferStmt:
		return ""
	case *ast.AssignStmt:
		if len(n.Rhs) != 1 {
			if a.u.method == "Val" {
				return a.val(expr, parent)
			}
			return otherUse
		}
		all := true
		for _, l := range n.Lhs {
			all = all && blank(l)
		}
		if all {
			return ""
		}
		switch a.u.method {
		case "Val":
			return a.val(expr, parent)
		case "Err":
			return a.err(parent, n)
		case "Result":
			return a.result(parent, n)
		case "":
			return a.kept(parent, n)
		}
		return otherUse
	case *ast.ReturnStmt:
		switch {
		case a.u.method == "Val":
			return a.val(expr, parent)
		case a.u.method == "Result" && len(n.Results) == 1:
			return a.returned(parent, n)
		}
		return otherUse
	}
	if a.u.method == "Val" {
		return a.val(expr, parent)
	}
	return otherUse
}

// val: x.Val() becomes x.Val() == "OK", !x.Val() becomes x.Val() != "OK".
func (a *answer) val(expr, parent inspector.Cursor) string {
	e := expr.Node()
	switch p := parent.Node().(type) {
	case *ast.UnaryExpr:
		if p.Op != token.NOT {
			return otherUse
		}
		if a.tight(parent) {
			if !a.replace(p.OpPos, p.OpPos+1, "(") || !a.insert(e.End(), ` != "OK")`) {
				return severalFiles
			}
			return ""
		}
		if !a.replace(p.OpPos, p.OpPos+1, "") || !a.insert(e.End(), ` != "OK"`) {
			return severalFiles
		}
		return ""
	}
	if a.tight(expr) {
		if !a.insert(e.Pos(), "(") || !a.insert(e.End(), ` == "OK")`) {
			return severalFiles
		}
		return ""
	}
	if !a.insert(e.End(), ` == "OK"`) {
		return severalFiles
	}
	return ""
}

// tight reports whether a comparison in the place of an expression would need
// parentheses.
func (a *answer) tight(c inspector.Cursor) bool {
	switch p := c.Parent().Node().(type) {
	case *ast.BinaryExpr:
		return p.Op != token.LAND && p.Op != token.LOR
	case *ast.UnaryExpr, *ast.SelectorExpr, *ast.StarExpr:
		return true
	}
	return false
}

// nilFilter is the statement that makes a held lock no error.
func (a *answer) nilFilter(err string, indent string) (string, bool) {
	at := a.u.expr.Pos()
	is, ok := a.qualifier("errors", "Is", at)
	if !ok {
		return "", false
	}
	redis, ok := a.qualifier(a.lib, "Nil", at)
	if !ok {
		return "", false
	}
	return "if " + is + "Is(" + err + ", " + redis + "Nil) {\n" + indent + "\t" + err + " = nil // held by another\n" + indent + "}", true
}

// notNil is the condition that a lock is not held by another.
func (a *answer) notNil(err string) (string, bool) {
	at := a.u.expr.Pos()
	is, ok := a.qualifier("errors", "Is", at)
	if !ok {
		return "", false
	}
	redis, ok := a.qualifier(a.lib, "Nil", at)
	if !ok {
		return "", false
	}
	return "!" + is + "Is(" + err + ", " + redis + "Nil)", true
}

// err: err := x.Err(), as a statement or before the condition of an if.
func (a *answer) err(cur inspector.Cursor, as *ast.AssignStmt) string {
	if len(as.Lhs) != 1 {
		return otherUse
	}
	v := a.variable(as.Lhs[0])
	if v == nil {
		return otherUse
	}
	return a.errOnly(cur, as, v)
}

func (a *answer) errOnly(cur inspector.Cursor, as *ast.AssignStmt, v *types.Var) string {
	k, _ := cur.ParentEdge()
	if inList(k) {
		s := a.sourceAt(as.Pos())
		text, ok := a.nilFilter(v.Name(), s.indent(as.Pos()))
		if !ok || !a.insert(s.after(as), "\n"+s.indent(as.Pos())+text) {
			return otherUse
		}
		return ""
	}
	if k != edge.IfStmt_Init {
		return otherUse
	}
	// if err := x.Err(); err != nil { … }: nothing else reads err.
	is := cur.Parent().Node().(*ast.IfStmt)
	if !a.isErrNotNil(is.Cond, v) || as.Tok != token.DEFINE || a.info.Defs[as.Lhs[len(as.Lhs)-1].(*ast.Ident)] != v {
		return otherUse
	}
	if is.Else != nil && len(a.uses(is.Else, v)) > 0 {
		return otherUse
	}
	text, ok := a.notNil(v.Name())
	if !ok || !a.insert(is.Cond.End(), " && "+text) {
		return otherUse
	}
	return ""
}

func (a *answer) isErrNotNil(cond ast.Expr, v *types.Var) bool {
	b, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	return ok && b.Op == token.NEQ && a.variable(b.X) == v && a.info.Types[b.Y].IsNil()
}

// result: ok, err := x.Result().
func (a *answer) result(cur inspector.Cursor, as *ast.AssignStmt) string {
	if len(as.Lhs) != 2 {
		return otherUse
	}
	k, _ := cur.ParentEdge()
	okID, okIs := as.Lhs[0].(*ast.Ident)
	errID, errIs := as.Lhs[1].(*ast.Ident)
	if !okIs || !errIs {
		return otherUse
	}
	switch {
	case blank(okID): // only the error is looked at
		v := a.variable(errID)
		if v == nil || !a.replace(okID.Pos(), errID.Pos(), "") || !a.replace(a.u.sel.Pos(), a.u.sel.End(), "Err") {
			return otherUse
		}
		return a.errOnly(cur, as, v)
	case blank(errID): // ok, _ := x.Result()
		if !a.replace(okID.End(), errID.End(), "") || !a.replace(a.u.sel.Pos(), a.u.sel.End(), "Val") || !a.insert(a.u.expr.End(), ` == "OK"`) {
			return otherUse
		}
		return ""
	}
	okVar, errVar := a.variable(okID), a.variable(errID)
	if okVar == nil || errVar == nil {
		return otherUse
	}
	if k == edge.IfStmt_Init {
		return a.branched(cur.Parent().Node().(*ast.IfStmt), as, okVar, errVar)
	}
	if !inList(k) {
		return otherUse
	}
	s := a.sourceAt(as.Pos())
	if s == nil {
		return otherUse
	}
	indent := s.indent(as.Pos())
	status := a.fresh(function(a.cr.Effect), "status")
	if as.Tok == token.ASSIGN {
		if !a.insert(as.Pos(), "var "+status+" string\n"+indent) {
			return otherUse
		}
	}
	filter, ok := a.nilFilter(errID.Name, indent)
	if !ok {
		return otherUse
	}
	tok := " = "
	if as.Tok == token.DEFINE && a.info.Defs[okID] != nil {
		tok = " := "
	}
	if !a.replace(okID.Pos(), okID.End(), status) || !a.insert(s.after(as), "\n"+indent+filter+"\n"+indent+okID.Name+tok+status+` == "OK"`) {
		return otherUse
	}
	return ""
}

// returned: return x.Result().
func (a *answer) returned(cur inspector.Cursor, ret *ast.ReturnStmt) string {
	if k, _ := cur.ParentEdge(); !inList(k) {
		return otherUse
	}
	s := a.sourceAt(ret.Pos())
	if s == nil {
		return otherUse
	}
	indent := s.indent(ret.Pos())
	fn := function(a.cr.Effect)
	status, err := a.fresh(fn, "status"), a.fresh(fn, "err")
	filter, ok := a.notNil(err)
	if !ok {
		return otherUse
	}
	filter = filter[1:]
	text := "\n" + indent + "if " + filter + " {\n" + indent + "\treturn false, nil // held by another\n" + indent + "}\n" +
		indent + "return " + status + ` == "OK", ` + err
	if !a.replace(ret.Pos(), ret.Results[0].Pos(), status+", "+err+" := ") || !a.insert(s.after(ret), text) {
		return otherUse
	}
	return ""
}

// kept: cmd := x, asked for its answer only.
func (a *answer) kept(cur inspector.Cursor, as *ast.AssignStmt) string {
	if k, _ := cur.ParentEdge(); !inList(k) || len(as.Lhs) != 1 {
		return otherUse
	}
	v := a.variable(as.Lhs[0])
	if v == nil || v.IsField() || v.Parent() == v.Pkg().Scope() {
		return otherUse
	}
	fn := function(a.cr.Effect)
	for _, id := range a.uses(fn, v) {
		c, ok := a.root.FindNode(id)
		if !ok {
			return otherUse
		}
		if k, _ := c.ParentEdge(); k == edge.AssignStmt_Lhs {
			if c.Parent().Node() == ast.Node(as) {
				continue
			}
			return otherUse
		}
		sel, ok := c.Parent().Node().(*ast.SelectorExpr)
		if !ok || sel.Sel.Name != "Val" && sel.Sel.Name != "Err" && sel.Sel.Name != "Result" {
			return otherUse
		}
		if k, _ := c.Parent().ParentEdge(); k != edge.CallExpr_Fun {
			return otherUse
		}
	}
	s := a.sourceAt(as.Pos())
	if s == nil {
		return otherUse
	}
	indent := s.indent(as.Pos())
	status, err := a.fresh(fn, "status"), a.fresh(fn, "err")
	filter, ok := a.nilFilter(err, indent)
	if !ok {
		return otherUse
	}
	q, ok := a.qualifier(a.lib, "NewBoolResult", as.Pos())
	if !ok {
		return otherUse
	}
	text := "\n" + indent + filter + "\n" + indent + as.Lhs[0].(*ast.Ident).Name + " " + as.Tok.String() + " " + q + "NewBoolResult(" + status + ` == "OK", ` + err + ")"
	if !a.replace(as.Lhs[0].Pos(), as.Rhs[0].Pos(), status+", "+err+" := ") || !a.insert(a.u.expr.End(), ".Result()") || !a.insert(s.after(as), text) {
		return otherUse
	}
	return ""
}

// uses is the planner's, for short.
func (a *answer) uses(in ast.Node, v types.Object) []*ast.Ident { return a.draft.planner.uses(in, v) }
