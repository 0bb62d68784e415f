package locks

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/cfg"
)

// A Path says how an effect is reached from a create in the same function.
type Path struct {
	set      stateSet
	Deferred bool // it runs when the function ends
	Async    bool // it runs in a goroutine, or whenever a returned func is called
	Loop     bool // it stands in a loop of its own
	Unknown  bool // the two do not stand in one flow
	Unseen   bool // the answer of the create comes by a way that is not followed
}

// Acquired: only a holder gets there.
func (p Path) Acquired() bool {
	return p.set != 0 && !p.set.can(held) && !p.set.can(failed)
}

// NotAcquired: a holder never gets there.
func (p Path) NotAcquired() bool { return p.set != 0 && !p.set.can(acquired) }

// Unheld: a caller who found the lock held gets there too.
func (p Path) Unheld() bool { return p.set.can(held) && !p.Unseen }

// Succeeded: a holder whose work succeeded gets there.
func (p Path) Succeeded() bool { return p.set.succeeded() }

// WorkFailed: a holder gets there only if the work failed.
func (p Path) WorkFailed() bool { return p.set.can(acquired) && !p.set.succeeded() }

// After: the effect can run after the create.
func (p Path) After() bool { return p.set != 0 || p.Unknown }

func (p Path) String() string {
	var s string
	switch {
	case p.Unknown:
		s = "unknown"
	case p.set == 0:
		s = "before"
	case p.NotAcquired():
		s = "not acquired"
	case p.WorkFailed():
		s = "work failed"
	case p.Acquired():
		s = "acquired"
	default:
		s = "acquired or not"
	}
	if p.Deferred {
		s += ", deferred"
	}
	if p.Async {
		s += ", async"
	}
	if p.Loop {
		s += ", in a loop"
	}
	return s
}

// path finds out how e is reached from the create cr of the same function.
func (c *collector) path(cr, e *Effect) Path {
	f := cr.Fn
	crBodies, eBodies := c.enclosing(f, cr.Body), c.enclosing(f, e.Body)
	// The innermost body that encloses both, or that both can be lifted to.
	common := ast.Node(f.Decl)
	for i := 0; i < len(crBodies) && i < len(eBodies) && crBodies[i] == eBodies[i]; i++ {
		common = crBodies[i]
	}
	p := Path{Loop: c.inLoop(e, cr) || e.Derived() && e.Looped}
	results := c.lift(f, cr, common)
	if len(results) == 0 {
		p.Unknown = true
		return p
	}
	for _, r := range results {
		p.set |= c.reach(f, common, r, e, &p)
		p.Unseen = p.Unseen || !r.own && !r.tells()
	}
	if at := c.collectedAt(e); at != nil && p.set != 0 {
		// What is freed was collected where it was acquired.
		where := &Effect{Fn: f, Body: c.bodyAtPos(f, at.Pos()), Call: callAt(at)}
		if q := c.path(cr, where); q.Acquired() {
			if p.set = p.set.only(acquired); p.set == 0 {
				p.set = 1 << acquired // collected in an earlier turn of a loop
			}
		}
	}
	return p
}

// reach runs the flow of body from the create's results r to the effect e.
func (c *collector) reach(f *Func, body ast.Node, r *results, e *Effect, p *Path) stateSet {
	g := c.graphOf(f, body)
	from, ok := g.find(r.call.Pos(), r.call.End())
	if !ok {
		return 0
	}
	flow := c.flow(g, r, from, 0)
	return c.walk(f, body, g, flow, r, e, p, 0)
}

// walk returns the states at e, which stands in body or in a literal below it.
func (c *collector) walk(f *Func, body ast.Node, g *graph, in map[*cfg.Block]stateSet, r *results, e *Effect, p *Path, depth int) stateSet {
	if e.Body == body {
		if is[*ast.DeferStmt](c.parentOf(e.Call)) {
			p.Deferred = true
		}
		if is[*ast.GoStmt](c.parentOf(e.Call)) {
			p.Async = true
		}
		s := c.at(g, in, r, e.Call.Pos(), e.Call.End())
		switch {
		case s == 0 && p.Deferred:
			s = c.atExit(g, in, r)
		case !p.Deferred && !p.Async && c.failing(e.Call):
			s = s.failed()
		}
		return s
	}
	if depth > 8 {
		return 0
	}
	lit, ok := e.Body.(*ast.FuncLit)
	for ok && f.litOf[lit] != body {
		lit, ok = f.litOf[lit].(*ast.FuncLit)
	}
	if !ok {
		return 0
	}
	var out stateSet
	for _, s := range c.sites(f, lit) {
		var entry stateSet
		if s.body == body {
			entry = c.at(g, in, r, s.node.Pos(), s.node.End())
		} else if b, ok := s.body.(*ast.FuncLit); ok && c.below(f, b, body) {
			// Called in another literal: what holds there.
			at := &Effect{Fn: f, Body: b, Call: callAt(s.node)}
			entry = c.walk(f, body, g, in, r, at, p, depth+1)
		}
		if entry == 0 && s.deferred && s.body == body {
			entry = c.atExit(g, in, r) // deferred before the create: runs after it all the same
		}
		if entry == 0 {
			continue
		}
		if !s.deferred && !s.async && c.failing(s.node) {
			entry = entry.failed() // rollback() before an error is returned
		}
		p.Deferred = p.Deferred || s.deferred
		p.Async = p.Async || s.async
		p.Loop = p.Loop || s.timer
		if s.deferred || s.async {
			// By then err is whatever the work left in it.
			entry = entry.staleErr(c.reassigned(f, r))
		}
		lg := c.graphOf(f, lit)
		lin := c.flow(lg, r, place{lg.cfg.Blocks[0], -1}, entry)
		out |= c.walk(f, lit, lg, lin, r, e, p, depth+1)
	}
	return out
}

// reassigned reports whether the error variable of the create is assigned
// elsewhere too, or is a named result.
func (c *collector) reassigned(f *Func, r *results) bool {
	for v := range r.errs {
		if len(c.defs.All(v)) > 1 {
			return true
		}
		res := f.Obj.Type().(*types.Signature).Results()
		for x := range res.Variables() {
			if x == v {
				return true
			}
		}
	}
	return false
}
