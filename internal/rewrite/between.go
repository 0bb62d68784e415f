package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/edge"

	"github.com/locklint/locklint/internal/locks"
)

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
