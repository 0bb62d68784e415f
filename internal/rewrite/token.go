package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/locklint/locklint/internal/keyexpr"
	"github.com/locklint/locklint/internal/locks"
)

const readElsewhere = "the package reads what is stored under the key"

// tokens gives every acquisition a token of its own, and all that frees, renews or
// compares the lock with it. All of it must stand in the function that acquires.
func (d *draft) tokens() string {
	l := d.lock
	for _, m := range l.Others {
		switch m.Kind {
		case locks.Read, locks.Data, locks.Overwrite:
			return readElsewhere
		}
	}
	if d.spokenOf() {
		return namedElsewhere
	}
	bare := d.bare()
	groups := map[*locks.Func]*stop{}
	var order []*stop
	at := func(m *locks.Member) *stop {
		g := groups[m.Fn]
		if g == nil {
			g = &stop{decl: m.Fn.Decl}
			groups[m.Fn] = g
			order = append(order, g)
		}
		return g
	}
	apart := false
	var creates []*locks.Member
	for _, cr := range l.Creates {
		root := cr.ValueAt()
		if cr.Derived() && (root == nil || d.outdated(cr)) {
			continue // the create it calls is one of the lock too
		}
		if !d.sharedValue(cr) && d.supplies(cr) {
			continue // its callers choose the value
		}
		if cr.Value.Kind == locks.ValueKept && !d.sharedValue(cr) {
			return "the key is created with several values"
		}
		apart = apart || cr.Derived() && root != cr.Effect
		creates = append(creates, cr)
		at(cr).creates = append(at(cr).creates, cr)
	}
	if len(creates) == 0 {
		return "the value is chosen in a helper"
	}
	others := slices.Concat(bare, l.Checked)
	others = slices.DeleteFunc(others, func(m *locks.Member) bool { return m.Derived() && m.At == nil })
	for _, m := range others {
		at(m).others = append(at(m).others, m)
	}
	for _, g := range order {
		apart = apart || len(g.creates) == 0 || len(g.others) == 0
	}
	plan := func() string { return d.along(&route{roots: order}) }
	if apart {
		plan = func() string {
			if d.try(func() string { return d.onMade(creates, others) }) == "" {
				return ""
			}
			return d.onHandle(creates, others)
		}
	}
	why := d.try(plan)
	if why != "" && why != decision {
		along := d.try(func() string {
			if r := d.route(creates, others, true); r != nil {
				return d.along(r)
			}
			return d.travel(creates[0], others)
		})
		if along == "" || apart {
			why = along
		}
	}
	if why != "" {
		return why
	}
	for _, cr := range creates {
		d.writers = d.writers || d.weak(cr) || d.sharedValue(cr)
		d.untold = d.untold || d.sharedValue(cr)
	}
	d.notes = append(d.notes, "store a fresh token for each acquisition")
	for _, cr := range l.Creates {
		if cr.ValueAt() != nil {
			d.yes(cr.ValueAt(), Value)
		}
	}
	for _, m := range bare {
		d.fixed(m)
	}
	return ""
}

// supplies reports whether a create stores what the calls of its function, which are
// creates of the lock too, give it.
func (d *draft) supplies(cr *locks.Member) bool {
	if cr.Value.Param == keyexpr.NoParam {
		return false
	}
	for _, o := range d.lock.Creates {
		for e := o.Effect; e.Step != nil; e = e.Step {
			if e.ValueSupplied() && e.Step.Call == cr.Call {
				return true
			}
		}
	}
	return false
}

// abandon removes the definition of a local that nothing reads any more. A right side
// that may do more than give a value stays, and is given to nobody.
func (d *draft) abandon(fn *ast.FuncDecl, v *types.Var) {
	if v.Parent() == nil || v.Pkg() == nil || v.Parent() == v.Pkg().Scope() {
		return
	}
	for _, id := range d.uses(fn, v) {
		used := !slices.ContainsFunc(d.edits, func(e edit) bool { return e.pos <= id.Pos() && id.End() <= e.end })
		if used {
			return
		}
	}
	def, ok := d.res.Defs().Single(v)
	if !ok || def.Rhs == nil {
		return
	}
	cur, ok := d.root.FindNode(def.Rhs)
	if !ok {
		return
	}
	as, ok := cur.Parent().Node().(*ast.AssignStmt)
	if !ok || as.Tok != token.DEFINE {
		return
	}
	if k, _ := cur.Parent().ParentEdge(); !inList(k) {
		return
	}
	if i := slices.IndexFunc(as.Lhs, func(l ast.Expr) bool { return d.variable(l) == v }); len(as.Lhs) == len(as.Rhs) && len(as.Lhs) > 1 && i >= 0 {
		// key, owner := …: the others stay.
		if !d.idle(as.Rhs[i]) {
			d.replace(as.Lhs[i].Pos(), as.Lhs[i].End(), "_")
			return
		}
		for _, side := range [][]ast.Expr{as.Lhs, as.Rhs} {
			if i == 0 {
				d.replace(side[0].Pos(), side[1].Pos(), "")
			} else {
				d.replace(side[i-1].End(), side[i].End(), "")
			}
		}
		return
	}
	for _, l := range as.Lhs {
		if !blank(l) && d.variable(l) != v {
			return
		}
	}
	if len(as.Rhs) != 1 {
		return
	}
	if !d.idle(as.Rhs[0]) {
		d.replace(as.Pos(), as.Rhs[0].Pos(), strings.Repeat("_, ", len(as.Lhs)-1)+"_ = ")
		return
	}
	d.cutWhole(as.Pos(), as.End())
}
