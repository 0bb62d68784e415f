package locks

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/cfg"
)

// keptOnSuccess reports whether a holder whose work did not fail can leave the
// function of a create without a release: what is freed on some of those ways only
// is a marker given back, whatever the condition that decides it. Ways that end in
// an error are ways on which the work failed.
func (c *collector) keptOnSuccess(cr *Member, frees []*Member) bool {
	for _, m := range frees {
		if m.Fn == cr.Fn && (m.Body.Pos() < cr.Body.Pos() || m.Body.End() > cr.Body.End()) {
			return false // acquired in a callback, freed by who called with it
		}
	}
	leaves := true
	results := c.lift(cr.Fn, cr.Effect, cr.Body)
	for _, r := range results {
		r.collected = c.collections(cr.Fn, frees)
		g := c.graphOf(cr.Fn, cr.Body)
		from, ok := g.find(r.call.Pos(), r.call.End())
		if !ok {
			return false
		}
		leaves = c.leaves(cr.Fn, cr.Body, r, from, 0, frees, 0)
	}
	return leaves
}

// leaves reports whether an exit of body is reached in an acquired state, with
// nothing known to have failed, without passing a release.
func (c *collector) leaves(f *Func, body ast.Node, r *results, from place, entry stateSet, frees []*Member, depth int) bool {
	if depth > 6 {
		return true
	}
	releases := c.releaseNodes(f, body, r, frees, depth)
	ok := func(s stateSet) stateSet { // the states that matter
		var out stateSet
		s.each(func(x state) {
			if x.outcome() != acquired || x&workFailed == 0 {
				out |= 1 << x
			}
		})
		return out
	}
	in := map[*cfg.Block]stateSet{}
	if entry != 0 {
		in[from.block] = entry
	}
	work := []*cfg.Block{from.block}
	seen := map[*cfg.Block]bool{}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		s := in[b]
		for _, n := range b.Nodes {
			if n.Pos() <= r.call.Pos() && r.call.End() <= n.End() && s.succeeded() && len(r.collected) == 0 {
				return true // the next attempt, with this one never freed
			}
			s = ok(c.step(s, n, r))
			for _, at := range releases {
				if n.Pos() <= at.Pos() && at.End() <= n.End() {
					s = s.without(acquired)
				}
			}
		}
		if s == 0 && seen[b] {
			continue
		}
		seen[b] = true
		if len(b.Succs) == 0 {
			if b.Kind == cfg.KindSelectAfterCase {
				continue // a select without a default ends in one of its cases
			}
			if s.succeeded() && !c.endsFailing(b) {
				return true
			}
			continue
		}
		cond := c.condition(b)
		for i, succ := range b.Succs {
			t := s
			if cond != nil && len(b.Succs) == 2 {
				t = c.branch(s, cond, i == 0, r)
			}
			if c.givesUp(succ) {
				t = t.failed()
			}
			t = ok(t)
			if t != 0 && in[succ]|t != in[succ] {
				in[succ] |= t
				work = append(work, succ)
			}
		}
	}
	return false
}

// endsFailing reports whether a block that ends the function returns an error that
// is made there, or does not return at all.
func (c *collector) endsFailing(b *cfg.Block) bool {
	if len(b.Nodes) == 0 {
		return false
	}
	switch n := b.Nodes[len(b.Nodes)-1].(type) {
	case *ast.ReturnStmt:
		return len(n.Results) > 0 && c.madeError(n.Results[len(n.Results)-1])
	case *ast.ExprStmt:
		call, ok := n.X.(*ast.CallExpr)
		return ok && !c.mayReturn(call)
	}
	return false
}

// collections are the slices and maps in which a function keeps the keys it has
// acquired, to free them together.
func (c *collector) collections(f *Func, frees []*Member) map[*types.Var]bool {
	out := map[*types.Var]bool{}
	for _, m := range frees {
		if m.Fn != f || m.Call == nil {
			continue
		}
		at := c.collectedAt(m.Effect)
		if at == nil {
			continue
		}
		for _, p := range c.parents(at) {
			as, ok := p.(*ast.AssignStmt)
			if !ok || len(as.Lhs) != 1 {
				continue
			}
			lhs := ast.Unparen(as.Lhs[0])
			if ix, ok := lhs.(*ast.IndexExpr); ok {
				lhs = ix.X
			}
			if v := c.defs.Var(lhs); v != nil {
				out[v] = true
			}
			break
		}
	}
	return out
}

// loopOver returns what a loop around a call ranges over, where that is one of the
// collections: who has acquired goes through the loop. Else the call itself.
func (c *collector) loopOver(collected map[*types.Var]bool, call *ast.CallExpr) ast.Node {
	for _, p := range c.parents(call) {
		switch p := p.(type) {
		case *ast.RangeStmt:
			if collected[c.defs.Var(p.X)] {
				return p.X
			}
		case *ast.FuncLit:
			return call
		}
	}
	return call
}

// releaseNodes are the places in body that free the lock for sure: a free itself, a
// literal or a helper that always frees.
func (c *collector) releaseNodes(f *Func, body ast.Node, r *results, frees []*Member, depth int) []ast.Node {
	var out []ast.Node
	for _, m := range frees {
		if m.Fn != f || m.Weak || m.Call == nil {
			continue
		}
		if m.Body == body {
			if c.alwaysFrees(m.Effect, depth) {
				out = append(out, c.loopOver(r.collected, m.Call))
			}
			continue
		}
		lit, ok := m.Body.(*ast.FuncLit)
		for ok && f.litOf[lit] != body {
			lit, ok = f.litOf[lit].(*ast.FuncLit)
		}
		if !ok {
			continue
		}
		lg := c.graphOf(f, lit)
		entry := stateSet(1 << (acquired | errStale))
		if c.leaves(f, lit, r, place{lg.cfg.Blocks[0], -1}, entry, frees, depth+1) {
			continue
		}
		for _, s := range c.sites(f, lit) {
			if s.body == body && !s.stored {
				out = append(out, s.node)
			}
		}
	}
	return out
}

// alwaysFrees reports whether a call of a helper frees whatever happens in it. A
// command does.
func (c *collector) alwaysFrees(e *Effect, depth int) bool {
	s := e.Step
	if s == nil || s.Call == nil {
		return true // a command, or a function of another package
	}
	if depth > 6 {
		return false
	}
	// In the helper the lock is held from the start.
	r := &results{c: c, call: &ast.CallExpr{Fun: &ast.BadExpr{}, Lparen: token.NoPos}, cr: s,
		oks: map[*types.Var]bool{}, errs: map[*types.Var]bool{}, memo: map[*types.Var]resultClass{}}
	g := c.graphOf(s.Fn, s.Fn.Decl)
	return !c.leaves(s.Fn, s.Fn.Decl, r, place{g.cfg.Blocks[0], -1}, 1<<acquired, []*Member{{Effect: s}}, depth+1)
}
