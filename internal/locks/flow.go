package locks

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/cfg"
	"golang.org/x/tools/go/types/typeutil"
)

// A graph is the control flow of one function body.
type graph struct {
	cfg *cfg.CFG
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
