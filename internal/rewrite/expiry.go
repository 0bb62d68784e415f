package rewrite

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"
	"time"

	"golang.org/x/tools/go/ast/edge"

	"github.com/locklint/locklint/internal/locks"
	"github.com/locklint/locklint/internal/rediscmd"
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

// A ttl is what a create is given.
type ttl struct {
	text string
	at   bool // a time.Time
}

// ttlFor returns the expiry of a second command as it can stand at the create.
func (d *draft) ttlFor(cr, m *locks.Member) (ttl, string) {
	e := m.TTL.Expr
	if e == nil {
		return ttl{}, "the expiry is not one expression"
	}
	cmd := m.Cmd
	for s := m.Step; cmd == nil && s != nil; s = s.Step {
		cmd = s.Cmd
	}
	if cmd == nil {
		return ttl{}, "the expiry is set in another package"
	}
	if m.TTL.Kind == rediscmd.TTLConst && !m.TTL.At && m.TTL.Dur < time.Second {
		return ttl{}, "an expiry below one second is rounded up by EXPIRE and would not be by SET"
	}
	if !d.steady(e, cr) {
		return ttl{}, "the expiry is worked out or changed between the two commands"
	}
	if !cmd.Method {
		return d.rawTTL(cr, m, e)
	}
	if m.TTL.At {
		// time.Now().Add(ttl)
		if x := d.fromNow(e); x != nil {
			e = x
		} else {
			text, ok := d.carry(e, cr.Pos())
			if !ok {
				return ttl{}, "the expiry cannot be evaluated where the key is created"
			}
			d.doubt(e)
			return ttl{text, true}, ""
		}
	} else if !isDuration(d.info.TypeOf(e)) {
		return ttl{}, "the expiry is no time.Duration"
	}
	text, ok := d.carry(e, cr.Pos())
	if !ok {
		return ttl{}, "the expiry cannot be evaluated where the key is created"
	}
	if m.TTL.Kind != rediscmd.TTLConst {
		d.doubt(e)
	}
	return ttl{text, false}, ""
}

// rawTTL is the expiry of a command sent as words: EXPIRE key seconds.
func (d *draft) rawTTL(cr, m *locks.Member, e ast.Expr) (ttl, string) {
	if m.Derived() || m.TTL.At || isDuration(d.info.TypeOf(e)) || !isInteger(d.info.TypeOf(e)) {
		return ttl{}, "the expiry is no time.Duration"
	}
	text, ok := d.carry(e, cr.Pos())
	if !ok {
		return ttl{}, "the expiry cannot be evaluated where the key is created"
	}
	q, ok := d.qualifier("time", "Second", cr.Pos())
	if !ok {
		return ttl{}, "package time cannot be imported"
	}
	unit := q + "Second"
	if m.Cmd.Millis {
		unit = q + "Millisecond"
	}
	if _, lit := ast.Unparen(e).(*ast.BasicLit); lit {
		return ttl{text + "*" + unit, false}, ""
	}
	d.doubt(e)
	return ttl{q + "Duration(" + text + ")*" + unit, false}, ""
}

func isDuration(t types.Type) bool {
	if t == nil {
		return false
	}
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Name() == "Duration" && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "time"
}

func isInteger(t types.Type) bool {
	if t == nil {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}

// fromNow returns the duration of time.Now().Add(d), nil for anything else.
func (d *draft) fromNow(e ast.Expr) ast.Expr {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return nil
	}
	sel := selector(call)
	if sel == nil || sel.Sel.Name != "Add" {
		return nil
	}
	now, ok := ast.Unparen(sel.X).(*ast.CallExpr)
	if !ok {
		return nil
	}
	inner := selector(now)
	if inner == nil {
		return nil
	}
	fn, ok := d.info.Uses[inner.Sel].(*types.Func)
	if !ok || fn.FullName() != "time.Now" {
		return nil
	}
	return call.Args[0]
}

// doubt makes the plan a suggestion where an expiry may be no more than zero, or is
// computed by a call.
func (d *draft) doubt(e ast.Expr) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if n.Op == token.SUB {
				d.suggested = true
			}
		case *ast.UnaryExpr:
			if n.Op == token.SUB {
				d.suggested = true
			}
		case *ast.CallExpr:
			if tv := d.info.Types[n.Fun]; !tv.IsType() && !tv.IsBuiltin() {
				d.suggested = true
			}
		case *ast.Ident:
			v, ok := d.info.Uses[n].(*types.Var)
			if !ok {
				return true
			}
			for _, x := range d.res.Defs().All(v) {
				if x.Rhs != nil && x.Rhs != e && !x.Multi && x.Rhs.Pos() != e.Pos() {
					if tv := d.info.Types[x.Rhs]; tv.Value != nil && tv.Value.Kind() == constant.Int {
						if constant.Sign(tv.Value) <= 0 {
							d.suggested = true
						}
						continue
					}
					if call, ok := ast.Unparen(x.Rhs).(*ast.CallExpr); ok {
						if sel := selector(call); sel != nil && (sel.Sel.Name == "Until" || strings.Contains(strings.ToLower(sel.Sel.Name), "rand") || sel.Sel.Name == "Sub") {
							d.suggested = true
						}
					}
					if b, ok := ast.Unparen(x.Rhs).(*ast.BinaryExpr); ok && b.Op == token.SUB {
						d.suggested = true
					}
				}
			}
		}
		return true
	})
}

// circumstances looks at what stands between a create and its second half: a
// condition of its own forbids the rewrite, work makes it a suggestion, and so
// does an expiry that losers set too.
func (d *draft) circumstances(cr, m *locks.Member) string {
	if m.Queue == locks.NoQueue && (m.Path.Unheld() || m.Path.NotAcquired()) {
		d.suggested = true
	}
	if m.Queue != locks.NoQueue && !d.lock.Evidence.IsLock() {
		d.suggested = true
	}
	if m.OnlyIf == "XX" || m.OnlyIf == "GT" || m.Path.Deferred {
		d.suggested = true
	}
	own := d.answers(cr)
	cur, ok := d.root.FindNode(m.Call)
	if !ok {
		return resultUsed
	}
	for c := range cur.Enclosing() {
		n := c.Node()
		if n == ast.Node(function(cr.Effect)) {
			break
		}
		k, _ := c.ParentEdge()
		switch outer := c.Parent().Node().(type) {
		case *ast.IfStmt:
			if k == edge.IfStmt_Body || k == edge.IfStmt_Else {
				if d.about(outer.Cond, own, cr) || k == edge.IfStmt_Body && d.lastlyAbout(outer.Cond, own, cr) {
					continue
				}
				if m.TTL.Expr != nil && positive(d, outer.Cond, m.TTL.Expr) {
					d.suggested = true
					continue
				}
				return "the expiry is set under a condition of its own"
			}
		case *ast.CaseClause:
			sw, _ := c.Parent().Parent().Parent().Node().(*ast.SwitchStmt)
			if sw == nil || sw.Tag != nil && !d.about(sw.Tag, own, cr) {
				return "the expiry is set under a condition of its own"
			}
			for _, e := range outer.List {
				if sw.Tag == nil && !d.about(e, own, cr) {
					return "the expiry is set under a condition of its own"
				}
			}
		case *ast.CommClause:
			return "the expiry is set in a select"
		}
	}
	if d.worksBetween(cr, m, own) {
		d.suggested = true
	}
	return ""
}

// lastlyAbout reports whether a condition asks for the answer of a create last: on
// && rdb.SetNX(…).Val().
func (d *draft) lastlyAbout(cond ast.Expr, own map[*types.Var]bool, cr *locks.Member) bool {
	b, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	return ok && b.Op == token.LAND && d.inside(cr.Call, b.Y) && d.about(b.Y, own, cr)
}

// positive reports whether a condition asks whether the expiry is above zero.
func positive(d *draft, cond, ttl ast.Expr) bool {
	b, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	if !ok || b.Op != token.GTR && b.Op != token.NEQ {
		return false
	}
	v := d.info.Types[b.Y].Value
	return v != nil && v.ExactString() == "0" && types.ExprString(b.X) == types.ExprString(ttl)
}

// answers collects the variables that hold what a create was answered.
func (d *draft) answers(cr *locks.Member) map[*types.Var]bool {
	own := map[*types.Var]bool{}
	for range 4 {
		n := len(own)
		ast.Inspect(function(cr.Effect), func(x ast.Node) bool {
			as, ok := x.(*ast.AssignStmt)
			if !ok || len(as.Rhs) != 1 && len(as.Rhs) != len(as.Lhs) {
				return true
			}
			for i, l := range as.Lhs {
				rhs := as.Rhs[0]
				if len(as.Rhs) == len(as.Lhs) {
					rhs = as.Rhs[i]
				}
				if v := d.variable(l); v != nil && d.about(rhs, own, cr) {
					own[v] = true
				}
			}
			return true
		})
		if len(own) == n {
			break
		}
	}
	return own
}

// about reports whether an expression is about the answer of a create and nothing
// else.
func (d *draft) about(e ast.Expr, own map[*types.Var]bool, cr *locks.Member) bool {
	found, only := false, true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if n == cr.Call {
				found = true
				return false
			}
			if !d.harmless(n) {
				only = false
			}
		case *ast.SelectorExpr:
			if id, ok := n.X.(*ast.Ident); ok {
				if _, pkg := d.info.Uses[id].(*types.PkgName); pkg {
					return false
				}
			}
		case *ast.FuncLit:
			only = false
			return false
		case *ast.Ident:
			if v, ok := d.info.Uses[n].(*types.Var); ok && !v.IsField() {
				if own[v] {
					found = true
				} else {
					only = false
				}
			}
		}
		return only
	})
	return found && only
}

// worksBetween reports whether anything but looking at the answer happens between a
// create and its second half.
func (d *draft) worksBetween(cr, m *locks.Member, own map[*types.Var]bool) bool {
	from, to := cr.Call.End(), m.Call.Pos()
	works := false
	visit := func(n ast.Node) bool {
		if n == nil || works || n.End() <= from || n.Pos() >= to {
			return false
		}
		switch n := n.(type) {
		case *ast.IfStmt:
			// A branch that leaves does not come here.
			left := n.Else == nil && d.ends(n.Body.List) && n.End() < to
			switch {
			case n.Pos() < from && n.Body.Pos() > from:
				if left {
					return false
				}
			case n.Pos() > from && n.End() < to:
				if !d.about(n.Cond, own, cr) || n.Init != nil && !d.about(asked(n.Init), own, cr) {
					works = true
				}
				if left {
					return false
				}
			}
		case *ast.ForStmt:
			// for !rdb.SetNX(…).Val() { … }: the body is for those who wait.
			if n.Cond != nil && d.inside(cr.Call, n.Cond) {
				return false
			}
		case *ast.CallExpr:
			if n.Pos() >= from && n.End() <= to && !d.harmless(n) {
				works = true
			}
		case *ast.DeferStmt:
			return false // runs later
		case *ast.FuncLit:
			if n.End() < to || n.Pos() > from && n.End() <= to {
				return false
			}
		case *ast.CaseClause:
			if n.Pos() > from && n.End() < to && d.ends(n.Body) {
				return false
			}
		}
		return !works
	}
	ast.Inspect(function(cr.Effect).Body, visit)
	return works
}

// asked is the expression that the statement before a condition assigns.
func asked(init ast.Stmt) ast.Expr {
	if as, ok := init.(*ast.AssignStmt); ok && len(as.Rhs) == 1 {
		return as.Rhs[0]
	}
	return &ast.BadExpr{}
}

func isLibrary(path string) bool { return rediscmd.LibraryOf(path) != nil }
