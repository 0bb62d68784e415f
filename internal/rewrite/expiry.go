package rewrite

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/locklint/locklint/internal/locks"
	"github.com/locklint/locklint/internal/rediscmd"
	"golang.org/x/tools/go/ast/edge"
)

// expiry moves the expiry that a second command sets into the create.
func (d *draft) expiry() {
	if d.lock.Evidence.Kind == locks.NoEvidence {
		return
	}
	type fn struct {
		creates, halves []*locks.Member
		other           bool
	}
	var order []*locks.Func
	byFn := map[*locks.Func]*fn{}
	for _, cr := range d.lock.Creates {
		if !cr.TTL.Missing() && !cr.Script || cr.TTLAt() == nil {
			continue
		}
		f := byFn[cr.Fn]
		if f == nil {
			f = &fn{}
			byFn[cr.Fn] = f
			order = append(order, cr.Fn)
		}
		f.creates = append(f.creates, cr)
		if len(f.creates) > 1 {
			continue
		}
		for _, m := range d.lock.Expires {
			switch {
			case !locks.SecondHalf(cr, m):
			case m.Fn != cr.Fn:
				f.other = true
			default:
				f.halves = append(f.halves, m)
			}
		}
	}
	for _, key := range order {
		f := byFn[key]
		why := d.try(func() string { return d.oneExpiry(f.creates, f.halves, f.other) })
		for _, cr := range f.creates {
			if why == "" {
				d.yes(cr.TTLAt(), Expiry)
			} else if why != silent {
				d.no(cr.TTLAt(), Expiry, why)
			}
		}
		if why == "" {
			d.notes = append(d.notes, "set the expiry in the command that creates the key")
		}
	}
}

// silent: the message of the fault says it all.
const silent = "-"

func (d *draft) oneExpiry(creates, halves []*locks.Member, other bool) string {
	if len(halves) == 0 {
		if other {
			return "the expiry is set in another function"
		}
		return silent
	}
	for _, m := range halves {
		switch {
		case m.Script:
			return "a script sets the expiry"
		case m.Path.Loop:
			return "the expiry is set in a loop"
		case !m.Path.After():
			return "the expiry is set before"
		case m.Queue == locks.Multi && m.OnlyIf == "NX":
			return silent
		}
	}
	var calls []ast.Node
	for _, cr := range creates {
		calls = append(calls, cr.Call)
	}
	for _, m := range halves {
		if d.bypassed(function(m.Effect).Body.Pos(), m.Call, calls, false) || d.handedOn(m, creates) {
			return "the expiry is set without the create too: that is a renewal"
		}
	}
	first := halves[0]
	for _, cr := range creates {
		ttl, why := d.ttlFor(cr, first)
		if why != "" {
			return why
		}
		for _, m := range halves[1:] {
			if t, w := d.ttlFor(cr, m); w != "" || t != ttl {
				return "several commands set different expiries"
			}
		}
		for _, m := range halves {
			if why := d.circumstances(cr, m); why != "" {
				return why
			}
		}
		if why := d.create(cr, ttl); why != "" {
			return why
		}
	}
	for _, m := range halves {
		if m.Derived() && !d.onlyExpires(m.Effect) {
			return "the helper that sets the expiry does more than that"
		}
		if m.Queue != locks.NoQueue && d.answersUsed(m.Effect) {
			return "the answers of the pipeline are counted"
		}
		if why := d.drop(m, creates[0]); why != "" {
			return why
		}
	}
	for _, m := range halves {
		d.spent(m, creates[0])
	}
	return ""
}

// handedOn reports whether the expiry is set by a literal that runs more than once, or
// when somebody else wants it to.
func (d *draft) handedOn(m *locks.Member, creates []*locks.Member) bool {
	cur, ok := d.root.FindNode(m.Call)
	if !ok {
		return true
	}
	for c := range cur.Enclosing((*ast.FuncLit)(nil)) {
		if slices.ContainsFunc(creates, func(cr *locks.Member) bool { return d.inside(cr.Call, c.Node()) }) {
			return false
		}
		switch k, _ := c.ParentEdge(); k {
		case edge.CallExpr_Fun:
		case edge.CallExpr_Args:
			if m.Queue == locks.NoQueue && !runsOnce(c.Parent().Node().(*ast.CallExpr)) {
				return true
			}
		case edge.AssignStmt_Rhs:
			as := c.Parent().Node().(*ast.AssignStmt)
			v := d.variable(as.Lhs[0])
			if len(as.Lhs) != 1 || v == nil {
				return true
			}
			calls := 0
			for _, id := range d.uses(d.file(m.Pos()), v) {
				switch k, _ := d.edgeOf(id); k {
				case edge.AssignStmt_Lhs:
				case edge.CallExpr_Fun:
					calls++
				default:
					return true
				}
			}
			if calls != 1 {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// runsOnce reports whether a call is of a function that runs a literal once, beside: Go
// of an errgroup or a wait group.
func runsOnce(call *ast.CallExpr) bool {
	sel := selector(call)
	return sel != nil && sel.Sel.Name == "Go"
}

// spent removes the local that held the expiry, where it is declared after the create
// and nothing else reads it.
func (d *draft) spent(m, cr *locks.Member) {
	if m.TTL.Expr == nil || m.Derived() && !m.TTLSupplied() {
		return
	}
	ast.Inspect(m.TTL.Expr, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if v, ok := d.info.Uses[id].(*types.Var); ok && !v.IsField() && d.lookup(id.Name, cr.Pos()) != v {
				d.abandon(function(cr.Effect), v)
			}
		}
		return true
	})
}

// onlyExpires reports whether a helper does nothing but send the command.
func (d *draft) onlyExpires(e *locks.Effect) bool {
	for s := e.Step; s != nil; s = s.Step {
		if len(s.Fn.Effects) != 1 || !d.simple(s) {
			return false
		}
	}
	return true
}

// answersUsed reports whether the list of answers that Exec gives is looked at:
// another command more or less would shift it.
func (d *draft) answersUsed(e *locks.Effect) bool {
	if e.QueueOf == nil {
		return true
	}
	sent, used := false, false
	ast.Inspect(function(e), func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		sel := selector(call)
		if sel == nil {
			return true
		}
		switch sel.Sel.Name {
		case "Exec":
			ok = d.variable(sel.X) == e.QueueOf
		case "Pipelined", "TxPipelined":
			ok = d.inside(e.Call, call)
		default:
			ok = false
		}
		if ok {
			sent = true
			used = used || !d.unlisted(call)
		}
		return true
	})
	return used || !sent
}

// unlisted reports whether the list that Exec answers with is dropped.
func (d *draft) unlisted(call *ast.CallExpr) bool {
	cur, ok := d.root.FindNode(call)
	if !ok {
		return false
	}
	switch p := cur.Parent().Node().(type) {
	case *ast.ExprStmt, *ast.DeferStmt, *ast.GoStmt:
		return true
	case *ast.AssignStmt:
		return len(p.Rhs) == 1 && blank(p.Lhs[0])
	}
	return false
}

func isLibrary(path string) bool { return rediscmd.LibraryOf(path) != nil }
