package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/edge"
)

// branched: if ok, err := x.Result(); … — the status in the place of ok, as long as
// no branch that a held lock takes reads err.
func (a *answer) branched(is *ast.IfStmt, as *ast.AssignStmt, okVar, errVar *types.Var) string {
	okID, errID := as.Lhs[0].(*ast.Ident), as.Lhs[1].(*ast.Ident)
	if as.Tok != token.DEFINE || a.info.Defs[okID] != okVar || a.info.Defs[errID] != errVar {
		return otherUse
	}
	switch shape := a.shape(is.Cond, okVar, errVar); shape {
	case failed: // err != nil: a held lock goes to the else branch
		if is.Else == nil || len(a.uses(is.Else, errVar)) > 0 {
			return otherUse
		}
		text, ok := a.notNil(errID.Name)
		if !ok || !a.insert(is.Cond.End(), " && "+text) {
			return otherUse
		}
	case notHolder: // err != nil || !ok: a held lock goes in
		if len(a.uses(is.Body, errVar)) > 0 {
			return otherUse
		}
	case holder: // err == nil && ok: a held lock goes to the else branch
		if is.Else != nil && len(a.uses(is.Else, errVar)) > 0 {
			return otherUse
		}
	default:
		return otherUse
	}
	status := a.fresh(function(a.cr.Effect), "status")
	if !a.replace(okID.Pos(), okID.End(), status) {
		return otherUse
	}
	for _, id := range a.uses(is, okVar) {
		cur, ok := a.root.FindNode(id)
		if !ok {
			return otherUse
		}
		if k, _ := cur.ParentEdge(); k == edge.AssignStmt_Lhs || k == edge.UnaryExpr_X && cur.Parent().Node().(*ast.UnaryExpr).Op == token.AND {
			return otherUse
		}
		e := cur
		if un, ok := cur.Parent().Node().(*ast.UnaryExpr); ok && un.Op == token.NOT {
			e = cur.Parent()
			if a.tight(e) {
				return otherUse
			}
			if !a.replace(un.Pos(), un.End(), status+` != "OK"`) {
				return otherUse
			}
			continue
		}
		text := status + ` == "OK"`
		if a.tight(e) {
			text = "(" + text + ")"
		}
		if !a.replace(id.Pos(), id.End(), text) {
			return otherUse
		}
	}
	return ""
}

type shape uint8

func (a *answer) shape(cond ast.Expr, okVar, errVar *types.Var) shape {
	cond = ast.Unparen(cond)
	if a.isErrNotNil(cond, errVar) {
		return failed
	}
	b, ok := cond.(*ast.BinaryExpr)
	if !ok {
		return noShape
	}
	is := func(e ast.Expr, op token.Token) bool { // err op nil
		x, ok := ast.Unparen(e).(*ast.BinaryExpr)
		return ok && x.Op == op && a.variable(x.X) == errVar && a.info.Types[x.Y].IsNil()
	}
	not := func(e ast.Expr) bool {
		x, ok := ast.Unparen(e).(*ast.UnaryExpr)
		return ok && x.Op == token.NOT && a.variable(x.X) == okVar
	}
	got := func(e ast.Expr) bool { return a.variable(e) == okVar }
	switch b.Op {
	case token.LOR:
		if is(b.X, token.NEQ) && not(b.Y) || not(b.X) && is(b.Y, token.NEQ) {
			return notHolder
		}
	case token.LAND:
		if is(b.X, token.EQL) && got(b.Y) || got(b.X) && is(b.Y, token.EQL) {
			return holder
		}
	}
	return noShape
}

const (
	noShape   shape = iota
	failed          // err != nil
	notHolder       // err != nil || !ok
	holder          // err == nil && ok
)
