package locks

import (
	"go/ast"
	"go/token"
	"go/types"
)

func is[T ast.Node](n ast.Node) bool {
	_, ok := n.(T)
	return ok
}

// parents lists the nodes around n, innermost first, parentheses left out.
func (c *collector) parents(n ast.Node) []ast.Node {
	cur, ok := c.root.FindNode(n)
	if !ok {
		return nil
	}
	var out []ast.Node
	for p := range cur.Enclosing() {
		switch p.Node().(type) {
		case *ast.ParenExpr, *ast.File:
			continue
		}
		if p.Node() != n {
			out = append(out, p.Node())
		}
	}
	return out
}

// parentOf returns the node around n, parentheses left out; nil if there is none.
func (c *collector) parentOf(n ast.Node) ast.Node {
	if p := c.parents(n); len(p) > 0 {
		return p[0]
	}
	return nil
}

// otherUses lists the uses of a func-valued local that are no calls of it.
func (c *collector) otherUses(v *types.Var) []*ast.Ident {
	called := map[token.Pos]bool{}
	for _, call := range c.locals[v] {
		called[ast.Unparen(call.Fun).Pos()] = true
	}
	var out []*ast.Ident
	for _, id := range c.uses[v] {
		if !called[id.Pos()] {
			out = append(out, id)
		}
	}
	return out
}

func (c *collector) bodyAtPos(f *Func, pos token.Pos) ast.Node {
	return c.bodyAt(f, &ast.CallExpr{Fun: &ast.BadExpr{From: pos, To: pos}, Lparen: pos, Rparen: pos})
}

// inLoop reports whether an effect stands in a loop that the create does not
// stand in: a ticker, a heartbeat.
func (c *collector) inLoop(e, cr *Effect) bool {
	for _, p := range c.parents(e.Call) {
		switch p.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			if cr == nil || cr.Call.Pos() < p.Pos() || cr.Call.Pos() >= p.End() {
				return true
			}
		}
	}
	return false
}
