package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/edge"

	"github.com/locklint/locklint/internal/locks"
)

// unasked reports whether nobody looks at what a command answers.
func (d *draft) unasked(m *locks.Member) bool {
	u, ok := d.useOf(m.Call)
	if !ok {
		return false
	}
	switch p := u.cur.Parent().Node().(type) {
	case *ast.ExprStmt, *ast.DeferStmt, *ast.GoStmt:
		return true
	case *ast.AssignStmt:
		return len(p.Lhs) == 1 && blank(p.Lhs[0])
	}
	return false
}

// asked rewrites the uses of what DEL or EXPIRE answered to what a script answers:
// an integer. answer is the method of Cmd that gives it in the old form.
func (d *draft) asked(m *locks.Member, answer string, eval *types.Func) string {
	u, ok := d.useOf(m.Call)
	if !ok {
		return otherAnswer(m)
	}
	if obj, _, _ := types.LookupFieldOrMethod(eval.Signature().Results().At(0).Type(), true, d.pass.Pkg, answer); obj == nil && (u.method == "Result" || u.method == "Val") {
		return otherAnswer(m)
	}
	parent := u.cur.Parent()
	switch parent.Node().(type) {
	case *ast.ExprStmt, *ast.GoStmt, *ast.DeferStmt:
		return ""
	}
	as, assigned := parent.Node().(*ast.AssignStmt)
	if ret, ok := parent.Node().(*ast.ReturnStmt); ok && u.method == "" && len(ret.Results) == 1 {
		return d.returnedCmd(m, answer)
	}
	switch u.method {
	case "Err":
		return ""
	case "Result":
		if !d.replace(u.sel.Pos(), u.sel.End(), answer) {
			return severalFiles
		}
		return ""
	case "Val":
		if assigned && len(as.Lhs) == 1 && len(as.Rhs) == 1 {
			if blank(as.Lhs[0]) {
				return ""
			}
			if !d.insert(as.Lhs[0].End(), ", _") || !d.replace(u.sel.Pos(), u.sel.End(), answer) {
				return severalFiles
			}
			return ""
		}
		return d.branchedVal(m, u, answer)
	case "":
		if assigned && len(as.Lhs) == 1 && len(as.Rhs) == 1 {
			if blank(as.Lhs[0]) {
				return ""
			}
			return d.keptFree(m, as, answer)
		}
	}
	return otherAnswer(m)
}

// returnedCmd: return rdb.Del(…) — a command of the type that the function returns. Who
// asks it for its words gets none, so the plan is a suggestion.
func (d *draft) returnedCmd(m *locks.Member, answer string) string {
	lib := libraryOf(d.info, m.Call)
	made := map[string]string{"Int64": "NewIntResult", "Bool": "NewBoolResult"}[answer]
	if m.Queue != locks.NoQueue || lib == nil || made == "" || !isLibrary(lib.Path()) {
		return otherAnswer(m)
	}
	n, ok := types.Unalias(d.info.TypeOf(m.Call)).(*types.Pointer)
	if !ok || named(n.Elem()) == nil || named(n.Elem()).Name() != map[string]string{"Int64": "IntCmd", "Bool": "BoolCmd"}[answer] {
		return otherAnswer(m)
	}
	q, ok := d.qualifier(lib.Path(), made, m.Pos())
	if !ok || !d.insert(m.Call.Pos(), q+made+"(") || !d.insert(m.Call.End(), "."+answer+"())") {
		return otherAnswer(m)
	}
	d.suggested = true
	return ""
}

// branchedVal: if x.Val() == 1 { … } asks in the statement of the if; return x.Val() == 1
// and ok := x.Val() == 1 ask in a statement before.
func (d *draft) branchedVal(m *locks.Member, u use, answer string) string {
	var at ast.Stmt
	var start token.Pos
	first := true
up:
	for c := range u.cur.Enclosing() {
		k, i := c.ParentEdge()
		switch k {
		case edge.BinaryExpr_Y:
			if op := c.Parent().Node().(*ast.BinaryExpr).Op; op == token.LAND || op == token.LOR {
				first = false
			}
		case edge.FuncLit_Body:
			break up
		case edge.IfStmt_Cond, edge.ReturnStmt_Results, edge.AssignStmt_Rhs:
			if pk, _ := c.Parent().ParentEdge(); !inList(pk) || i > 0 {
				break up
			}
			at, start = c.Parent().Node().(ast.Stmt), c.Node().Pos()
			break up
		}
	}
	is, branch := at.(*ast.IfStmt)
	if at == nil || branch && is.Init != nil || !first || start != u.expr.Pos() {
		return otherAnswer(m) // something stands before it
	}
	if as, ok := at.(*ast.AssignStmt); ok && (len(as.Lhs) != 1 || !isIdent(as.Lhs[0])) {
		return otherAnswer(m)
	}
	s := d.sourceAt(at.Pos())
	if s == nil {
		return severalFiles
	}
	name := d.fresh(function(m.Effect), map[string]string{"Int64": "freed", "Bool": "renewed", "Text": "holder"}[answer])
	if branch {
		if !d.insert(start, name+", _ := ") || !d.replace(u.sel.Pos(), u.expr.End(), answer+"(); "+name) {
			return severalFiles
		}
		return ""
	}
	// The call moves to a statement before, with all edits in it.
	head := s.slice(at.Pos(), start)
	if !d.replace(at.Pos(), start, name+", _ := ") || !d.replace(u.sel.Pos(), u.expr.End(), answer+"()\n"+s.indent(at.Pos())+head+name) {
		return severalFiles
	}
	return ""
}

func isIdent(e ast.Expr) bool {
	_, ok := e.(*ast.Ident)
	return ok
}

// keptFree: cmd := rdb.Del(…) is asked for its answer only.
func (d *draft) keptFree(m *locks.Member, as *ast.AssignStmt, answer string) string {
	v := d.variable(as.Lhs[0])
	id, isID := as.Lhs[0].(*ast.Ident)
	if v == nil || !isID || as.Tok != token.DEFINE || d.info.Defs[id] != v {
		return otherAnswer(m)
	}
	for _, id := range d.uses(function(m.Effect), v) {
		c, ok := d.root.FindNode(id)
		if !ok {
			return otherAnswer(m)
		}
		if k, _ := c.ParentEdge(); k != edge.SelectorExpr_X {
			return otherAnswer(m)
		}
		sel := c.Parent().Node().(*ast.SelectorExpr)
		if k, _ := c.Parent().ParentEdge(); k != edge.CallExpr_Fun {
			return otherAnswer(m)
		}
		switch sel.Sel.Name {
		case "Err":
		case "Result":
			if !d.replace(sel.Sel.Pos(), sel.Sel.End(), answer) {
				return severalFiles
			}
		case "Val":
			call := c.Parent().Parent()
			outer, ok := call.Parent().Node().(*ast.AssignStmt)
			if !ok || len(outer.Lhs) != 1 || len(outer.Rhs) != 1 {
				return otherAnswer(m)
			}
			if !d.insert(outer.Lhs[0].End(), ", _") || !d.replace(sel.Sel.Pos(), sel.Sel.End(), answer) {
				return severalFiles
			}
		default:
			return otherAnswer(m)
		}
	}
	return ""
}
