package locks

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

func is[T ast.Node](n ast.Node) bool {
	_, ok := n.(T)
	return ok
}

// parents lists the nodes around n, innermost first, parentheses left out.
func (c *collector) parents(n ast.Node) []ast.Node {
	up := c.parentMap(n.Pos())
	var out []ast.Node
	for p := up[n]; p != nil; p = up[p] {
		if !is[*ast.ParenExpr](p) {
			out = append(out, p)
		}
	}
	return out
}

// parentMap returns the parents of all nodes of the declaration at a position. It
// is made once a declaration that is asked for.
func (c *collector) parentMap(pos token.Pos) map[ast.Node]ast.Node {
	d := c.declAt(pos)
	if d == nil {
		return nil
	}
	if m := c.parentMaps[d]; m != nil {
		return m
	}
	m := map[ast.Node]ast.Node{}
	var stack []ast.Node
	ast.Inspect(d, func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		if len(stack) > 0 {
			m[n] = stack[len(stack)-1]
		}
		stack = append(stack, n)
		return true
	})
	c.parentMaps[d] = m
	return m
}

// declAt returns the top-level declaration at a position, nil if there is none.
func (c *collector) declAt(pos token.Pos) ast.Decl {
	for _, f := range c.pass.Files {
		if pos < f.FileStart || pos > f.FileEnd {
			continue
		}
		i, _ := slices.BinarySearchFunc(f.Decls, pos, func(d ast.Decl, pos token.Pos) int { return cmp.Compare(d.End(), pos) })
		for ; i < len(f.Decls) && f.Decls[i].Pos() <= pos; i++ {
			if pos < f.Decls[i].End() {
				return f.Decls[i]
			}
		}
	}
	return nil
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
