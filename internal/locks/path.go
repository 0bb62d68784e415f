package locks

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/cfg"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/locklint/locklint/internal/defs"
)

// A state is one way things can stand after a create: whether the lock was
// acquired, whether the work is known to have failed, and whether the variables
// that hold the create's results still do.
type state uint8

const (
	acquired state = iota
	held           // somebody else holds the key
	failed         // the request failed
	outcomes = 3
)

const (
	workFailed state = 4 << iota // 4
	okStale                      // 8
	errStale                     // 16
	states     = 32
)

func (s state) outcome() state { return s & 3 }

// A states set holds the states that can reach a point.
type stateSet uint32

func (s stateSet) has(x state) bool { return s&(1<<x) != 0 }

func (s stateSet) each(f func(state)) {
	for x := range state(states) {
		if x.outcome() < outcomes && s.has(x) {
			f(x)
		}
	}
}

// start is what a create leaves behind.
const start = stateSet(1<<acquired | 1<<held | 1<<failed)

// outcomesIn returns which outcomes are possible, and whether only with the work
// failed.
func (s stateSet) can(o state) bool {
	found := false
	s.each(func(x state) { found = found || x.outcome() == o })
	return found
}

// succeeded reports whether the point can be reached by the holder with nothing
// known to have failed.
func (s stateSet) succeeded() bool {
	found := false
	s.each(func(x state) { found = found || x.outcome() == acquired && x&workFailed == 0 })
	return found
}

// A graph is the control flow of one function body.
type graph struct {
	cfg   *cfg.CFG
	nodes map[ast.Node]place
}

type place struct {
	block *cfg.Block
	index int
}

// graphOf builds the graph of a body once.
func (c *collector) graphOf(f *Func, body ast.Node) *graph {
	if g := f.graphs[body]; g != nil {
		return g
	}
	var block *ast.BlockStmt
	switch b := body.(type) {
	case *ast.FuncDecl:
		block = b.Body
	case *ast.FuncLit:
		block = b.Body
	}
	g := &graph{cfg: cfg.New(block, c.mayReturn)}
	f.graphs[body] = g
	return g
}

// mayReturn knows the functions that never do.
func (c *collector) mayReturn(call *ast.CallExpr) bool {
	if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok && id.Name == "panic" {
		_, builtin := c.info.Uses[id].(*types.Builtin)
		return !builtin
	}
	fn, ok := typeutil.Callee(c.info, call).(*types.Func)
	if !ok {
		return true
	}
	switch fn.FullName() {
	case "os.Exit", "runtime.Goexit", "log.Fatal", "log.Fatalf", "log.Fatalln", "log.Panic", "log.Panicf", "log.Panicln",
		"(*log.Logger).Fatal", "(*log.Logger).Fatalf", "(*log.Logger).Fatalln",
		"(*testing.common).Fatal", "(*testing.common).Fatalf", "(*testing.common).FailNow", "(*testing.common).Skip",
		"(*github.com/sirupsen/logrus.Logger).Fatal", "github.com/sirupsen/logrus.Fatal", "github.com/sirupsen/logrus.Fatalf",
		"(*go.uber.org/zap.Logger).Fatal", "(*go.uber.org/zap.SugaredLogger).Fatalf", "(*go.uber.org/zap.SugaredLogger).Fatal":
		return false
	}
	return true
}

// find returns where in the graph a position stands.
func (g *graph) find(pos, end token.Pos) (place, bool) {
	best, found := place{}, false
	var size token.Pos
	for _, b := range g.cfg.Blocks {
		if !b.Live {
			continue
		}
		for i, n := range b.Nodes {
			if n.Pos() <= pos && end <= n.End() {
				if s := n.End() - n.Pos(); !found || s < size {
					best, found, size = place{b, i}, true, s
				}
			}
		}
	}
	return best, found
}

// A Path says how an effect is reached from a create in the same function.
type Path struct {
	set      stateSet
	Deferred bool // it runs when the function ends
	Async    bool // it runs in a goroutine, or whenever a returned func is called
	Loop     bool // it stands in a loop of its own
	Unknown  bool // the two do not stand in one flow
}

// Acquired: only a holder gets there.
func (p Path) Acquired() bool {
	return p.set != 0 && !p.set.can(held) && !p.set.can(failed)
}

// NotAcquired: a holder never gets there.
func (p Path) NotAcquired() bool { return p.set != 0 && !p.set.can(acquired) }

// Unheld: a caller who found the lock held gets there too.
func (p Path) Unheld() bool { return p.set.can(held) }

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

// callAt stands for a node in the flow.
func callAt(n ast.Node) *ast.CallExpr {
	return &ast.CallExpr{Fun: &ast.BadExpr{From: n.Pos(), To: n.End()}, Lparen: n.Pos(), Rparen: n.End() - 1}
}

// only keeps the states with one outcome.
func (s stateSet) only(o state) stateSet {
	var out stateSet
	s.each(func(x state) {
		if x.outcome() == o {
			out |= 1 << x
		}
	})
	return out
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

// atExit returns the states in which a body ends.
func (c *collector) atExit(g *graph, in map[*cfg.Block]stateSet, r *results) stateSet {
	var out stateSet
	for _, b := range g.cfg.Blocks {
		if !b.Live || len(b.Succs) > 0 || b.Kind == cfg.KindSelectAfterCase {
			continue
		}
		s := in[b]
		for _, n := range b.Nodes {
			s = c.step(s, n, r)
		}
		out |= s
	}
	return out
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

func (s stateSet) staleErr(stale bool) stateSet {
	if !stale {
		return s
	}
	var out stateSet
	s.each(func(x state) { out |= 1 << (x | errStale) })
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

// at returns the states just before the node at a position.
func (c *collector) at(g *graph, in map[*cfg.Block]stateSet, r *results, pos, end token.Pos) stateSet {
	pl, ok := g.find(pos, end)
	if !ok {
		return 0
	}
	s := in[pl.block]
	for i := 0; i < pl.index; i++ {
		s = c.step(s, pl.block.Nodes[i], r)
	}
	// The create and the effect in one node: Do(…); `return !ok || del()`.
	if n := pl.block.Nodes[pl.index]; s == 0 && n.Pos() <= r.call.Pos() && r.call.End() <= n.End() && r.call.Pos() < pos {
		s = start
	}
	return s
}

// flow propagates states through the graph: from the node that holds the create,
// or from the entry with a given set.
func (c *collector) flow(g *graph, r *results, from place, entry stateSet) map[*cfg.Block]stateSet {
	in := map[*cfg.Block]stateSet{}
	work := []*cfg.Block{from.block}
	if entry != 0 {
		in[from.block] = entry
	}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		s := in[b]
		for _, n := range b.Nodes {
			s = c.step(s, n, r)
		}
		if s == 0 {
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
			if in[succ]|t != in[succ] {
				in[succ] |= t
				work = append(work, succ)
			}
		}
	}
	return in
}

// step is the effect of one node: the create starts all outcomes, an assignment
// makes the variables of its results stale.
func (c *collector) step(s stateSet, n ast.Node, r *results) stateSet {
	if n.Pos() <= r.call.Pos() && r.call.End() <= n.End() {
		return start
	}
	as, ok := n.(*ast.AssignStmt)
	if !ok || s == 0 {
		return s
	}
	var stale state
	for i, l := range as.Lhs {
		v := c.defs.Var(l)
		if v == nil || c.partOf(as, i, r) {
			continue
		}
		if r.errs[v] {
			stale |= errStale
		}
		if r.oks[v] {
			stale |= okStale
		}
	}
	if stale == 0 {
		return s
	}
	var out stateSet
	s.each(func(x state) { out |= 1 << (x | stale) })
	return out
}

// partOf reports whether an assignment takes a result of the create: ok, err :=
// cmd.Result().
func (c *collector) partOf(as *ast.AssignStmt, i int, r *results) bool {
	switch {
	case len(as.Rhs) == len(as.Lhs):
		return r.class(as.Rhs[i], 0, 0) != noResult
	case len(as.Rhs) == 1:
		return r.class(as.Rhs[0], i, 0) != noResult
	}
	return false
}

// condition returns the condition a block branches on, nil if it has none.
func (c *collector) condition(b *cfg.Block) ast.Expr {
	if len(b.Succs) != 2 || len(b.Nodes) == 0 {
		return nil
	}
	e, ok := b.Nodes[len(b.Nodes)-1].(ast.Expr)
	if !ok {
		return nil
	}
	// A case of a switch with a tag compares the two.
	if cc, ok := b.Succs[0].Stmt.(*ast.CaseClause); ok && b.Succs[0].Kind == cfg.KindSwitchCaseBody {
		if sw := c.switches[cc]; sw != nil && sw.Tag != nil {
			return &ast.BinaryExpr{X: sw.Tag, Op: token.EQL, Y: e, OpPos: e.Pos()}
		}
	}
	if t := c.info.TypeOf(e); t == nil || !isBool(t) {
		return nil
	}
	return e
}

func isBool(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}

// branch keeps the states in which a condition can be taken that way, and notes
// where taking it means that the work failed.
func (c *collector) branch(s stateSet, cond ast.Expr, taken bool, r *results) stateSet {
	var out stateSet
	s.each(func(x state) {
		switch r.eval(cond, x) {
		case yes:
			if taken {
				out |= 1 << x
			}
		case no:
			if !taken {
				out |= 1 << x
			}
		default:
			if x.outcome() == acquired && r.fails(cond, taken, x) {
				x |= workFailed
			}
			out |= 1 << x
		}
	})
	return out
}
