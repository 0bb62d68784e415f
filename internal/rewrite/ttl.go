package rewrite

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"
	"time"

	"github.com/locklint/locklint/internal/locks"
	"github.com/locklint/locklint/internal/rediscmd"
)

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
