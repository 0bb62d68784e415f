package locks

import (
	"go/ast"
	"strings"
)

// form says in words what is done with the answer of a create: Result() assigned to
// ok, err; Val() in a condition; returned; ignored.
func (c *collector) form(e *Effect) string {
	if e.Call == nil {
		return "in another package"
	}
	var chain []string
	parents := c.parents(e.Call)
	for i := 0; i < len(parents); i++ {
		method := ""
		if sel, ok := parents[i].(*ast.SelectorExpr); ok && i+1 < len(parents) {
			if outer, ok := parents[i+1].(*ast.CallExpr); ok && ast.Unparen(outer.Fun) == ast.Expr(sel) {
				method = sel.Sel.Name + "() "
				i++
			}
		}
		if method != "" {
			chain = append(chain, method)
			continue
		}
		return strings.Join(chain, "") + c.answer(e, parents[i])
	}
	return "used"
}

// answer says what the node around a call does with its answer.
func (c *collector) answer(e *Effect, p ast.Node) string {
	switch p := p.(type) {
	case *ast.ExprStmt:
		return "ignored"
	case *ast.DeferStmt:
		return "deferred"
	case *ast.GoStmt:
		return "in a goroutine"
	case *ast.ReturnStmt:
		return "returned"
	case *ast.AssignStmt:
		var names []string
		for _, l := range p.Lhs {
			if id, ok := l.(*ast.Ident); ok {
				names = append(names, id.Name)
			} else {
				names = append(names, "a field")
			}
		}
		if !c.looked(e) {
			return "assigned to " + strings.Join(names, ", ") + ", not looked at"
		}
		return "assigned to " + strings.Join(names, ", ")
	case *ast.UnaryExpr, *ast.BinaryExpr, *ast.IfStmt, *ast.ForStmt, *ast.SwitchStmt, *ast.CaseClause:
		return "in a condition"
	case *ast.CallExpr:
		return "passed on"
	}
	return "used"
}
