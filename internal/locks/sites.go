package locks

import (
	"go/ast"
	"go/types"

	"github.com/locklint/locklint/internal/defs"
)

// callAt stands for a node in the flow.
func callAt(n ast.Node) *ast.CallExpr {
	return &ast.CallExpr{Fun: &ast.BadExpr{From: n.Pos(), To: n.End()}, Lparen: n.Pos(), Rparen: n.End() - 1}
}

// collectedAt returns where the key of an effect was put into the slice or map it
// is taken from, nil if it was not.
func (c *collector) collectedAt(e *Effect) ast.Node {
	if e.collected != nil {
		return e.collected
	}
	var at ast.Node
	if e.KeyExpr == nil {
		return nil
	}
	ast.Inspect(e.KeyExpr, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		if d, ok := c.defs.Single(c.defs.Var(id)); ok && d.Range != nil {
			if x := c.fold.Filled(d.Range, d.Key); x != nil {
				at = x
			}
		}
		return true
	})
	return at
}

// enclosing lists the bodies around one, outermost first.
func (c *collector) enclosing(f *Func, body ast.Node) []ast.Node {
	var out []ast.Node
	for b := body; b != nil; {
		out = append([]ast.Node{b}, out...)
		lit, ok := b.(*ast.FuncLit)
		if !ok {
			break
		}
		b = f.litOf[lit]
	}
	return out
}

// lift returns the calls in body whose results tell how the create ended: the
// create itself, or the calls of the literal it stands in.
func (c *collector) lift(f *Func, cr *Effect, body ast.Node) []*results {
	if cr.Body == body {
		return []*results{c.results(f, cr, cr.Call)}
	}
	var out []*results
	lit, ok := cr.Body.(*ast.FuncLit)
	for ok && f.litOf[lit] != body {
		lit, ok = f.litOf[lit].(*ast.FuncLit)
	}
	if !ok {
		return nil
	}
	for _, s := range c.sites(f, lit) {
		if call, ok := s.node.(*ast.CallExpr); ok && s.body == body {
			out = append(out, c.results(f, cr, call))
		}
	}
	return out
}

// A site is a place where a func literal runs, or from where it is handed on.
type site struct {
	node     ast.Node
	body     ast.Node
	deferred bool
	async    bool
	stored   bool // kept in a list or a field: whether it runs is not known
	timer    bool // runs again and again, or later: time.AfterFunc
}

// sites returns where a literal runs: in place, in a defer or go statement, as a
// callback, or at the calls of the local that holds it.
func (c *collector) sites(f *Func, lit *ast.FuncLit) []site {
	body := f.litOf[lit]
	parents := c.parents(lit)
	if len(parents) == 0 {
		return nil
	}
	switch p := parents[0].(type) {
	case *ast.CallExpr:
		s := site{node: p, body: body}
		if len(parents) > 1 && ast.Unparen(p.Fun) == lit {
			switch parents[1].(type) {
			case *ast.DeferStmt:
				s.deferred = true
			case *ast.GoStmt:
				s.async = true
			}
		} else if ast.Unparen(p.Fun) != lit {
			// A callback: once.Do(f), errgroup.Go(f), t.Cleanup(f), Watch(f).
			switch calleeName(p) {
			case "append":
				s.async, s.stored = true, true
			case "AfterFunc":
				s.async, s.timer = true, true
			case "Go", "Submit", "Schedule", "GoSafe", "SafeGo":
				s.async = true
			case "Cleanup":
				s.deferred = true
			}
			if len(parents) > 1 {
				switch parents[1].(type) {
				case *ast.DeferStmt:
					s.deferred = true
				case *ast.GoStmt:
					s.async = true
				}
			}
		}
		return []site{s}
	case *ast.AssignStmt, *ast.ValueSpec:
		v := c.holder(p, lit)
		if v == nil {
			return []site{{node: lit, body: body, async: true, stored: true}}
		}
		var out []site
		for _, call := range c.locals[v] {
			s := site{node: call, body: c.bodyAt(f, call)}
			switch c.parentOf(call).(type) {
			case *ast.DeferStmt:
				s.deferred = true
			case *ast.GoStmt:
				s.async = true
			}
			out = append(out, s)
		}
		for _, id := range c.otherUses(v) {
			s := site{node: id, body: c.bodyAtPos(f, id.Pos()), async: true}
			if call, ok := c.parentOf(id).(*ast.CallExpr); ok {
				s.node, s.async = call, false
				switch c.parentOf(call).(type) {
				case *ast.DeferStmt:
					s.deferred = true
				case *ast.GoStmt:
					s.async = true
				}
			}
			out = append(out, s)
		}
		return out
	default:
		// Returned, stored in a field or a literal: runs later, once handed on.
		return []site{{node: lit, body: body, async: true}}
	}
}

// holder returns the local variable that a literal is assigned to once.
func (c *collector) holder(n ast.Node, lit *ast.FuncLit) *types.Var {
	var lhs []ast.Expr
	var rhs []ast.Expr
	switch n := n.(type) {
	case *ast.AssignStmt:
		lhs, rhs = n.Lhs, n.Rhs
	case *ast.ValueSpec:
		for _, id := range n.Names {
			lhs = append(lhs, id)
		}
		rhs = n.Values
	}
	for i, r := range rhs {
		if ast.Unparen(r) == lit && len(lhs) == len(rhs) {
			if v := c.defs.Var(lhs[i]); v != nil && !defs.IsGlobal(v) {
				if _, ok := c.defs.Single(v); ok {
					return v
				}
			}
		}
	}
	return nil
}

// below reports whether the literal b stands, at any depth, in body.
func (c *collector) below(f *Func, b *ast.FuncLit, body ast.Node) bool {
	for {
		up := f.litOf[b]
		if up == body {
			return true
		}
		next, ok := up.(*ast.FuncLit)
		if !ok {
			return false
		}
		b = next
	}
}
