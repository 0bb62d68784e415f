package rewrite

import (
	"go/ast"
	"slices"
	"strings"

	"github.com/locklint/locklint/internal/locks"
)

// A sharedFree is the free of a lock by a command that deletes other keys too.
type sharedFree struct {
	m   *locks.Member
	tok string
	err string // the name of an error that is returned early
}

const severalKeys = "it deletes several keys"

// oneOf takes the key of the lock out of a Del of several keys.
func (d *draft) oneOf(m *locks.Member, tok string) string {
	frees := []sharedFree{{m: m, tok: tok}}
	edits := len(d.edits)
	if why := d.outOf(frees); why != "" {
		return why
	}
	for i := range d.edits[edits:] {
		if e := &d.edits[edits+i]; !e.imports {
			e.shared = m.Call
		}
	}
	d.shared = append(d.shared, frees...)
	return ""
}

// outOf takes the keys of some locks out of a Del of several keys. The other keys are
// deleted first, then the locks are released one by one.
func (d *draft) outOf(frees []sharedFree) string {
	m := frees[0].m
	cmd := m.Cmd
	s := d.sourceAt(m.Pos())
	sel := selector(m.Call)
	if s == nil || sel == nil || !cmd.Method || d.hasMethod(cmd.Client, "Eval") == nil {
		return severalKeys
	}
	// Each command asks for the client and the context again.
	if !d.twice(sel.X) || cmd.Ctx != nil && !d.twice(cmd.Ctx) {
		return severalKeys
	}
	slices.SortFunc(frees, func(a, b sharedFree) int { return a.m.KeyArg - b.m.KeyArg })
	ctx := ""
	if cmd.Ctx != nil {
		ctx = s.text(cmd.Ctx) + ", "
	}
	var evals []string
	out := map[int]bool{}
	for _, f := range frees {
		if f.m.KeyArg >= len(cmd.Keys) || out[f.m.KeyArg] {
			return severalKeys
		}
		out[f.m.KeyArg] = true
		key := s.text(cmd.Keys[f.m.KeyArg])
		eval := s.slice(m.Call.Pos(), sel.Sel.Pos()) + "Eval(" + ctx + deleteScript + ", []string{" + key + "}, " + f.tok + ")"
		if name, ok := d.runtime(f.m, deleteScript); ok {
			if q, found := d.qualifier(runtimePath, name, m.Pos()); found {
				eval = q + name + "(" + ctx + s.text(cmd.Client) + ", " + key + ", " + f.tok + ")"
			}
		}
		evals = append(evals, eval)
	}
	u, ok := d.useOf(m.Call)
	if !ok {
		return severalKeys
	}
	parent := u.cur.Parent()
	k, _ := parent.ParentEdge()
	if !inList(k) {
		return severalKeys
	}
	left := len(cmd.Keys) - len(out)
	if left > 0 && !d.without(cmd.Keys, out) {
		return severalFiles
	}
	indent := s.indent(m.Pos())
	head, tail := "", ""
	switch n := parent.Node().(type) {
	case *ast.ExprStmt:
	case *ast.AssignStmt:
		if len(n.Lhs) != 1 || !blank(n.Lhs[0]) {
			return severalKeys
		}
		head, tail = "_ = ", s.slice(m.Call.End(), u.expr.End())
	case *ast.DeferStmt:
		head = "defer "
	case *ast.GoStmt:
		if left > 0 {
			return severalKeys // the lock would go before the other keys
		}
		head = "go "
	case *ast.ReturnStmt:
		if u.method != "Err" || len(n.Results) != 1 {
			return severalKeys
		}
		if frees[0].err == "" {
			frees[0].err = d.fresh(function(m.Effect), "errDel")
		}
		return d.returnedOf(m, n, u, evals, left, frees[0].err)
	default:
		return severalKeys
	}
	lines := head + strings.Join(evals, tail+"\n"+indent+head) + tail
	stmt := parent.Node()
	switch _, deferred := stmt.(*ast.DeferStmt); {
	case left == 0:
		ok = d.replace(stmt.Pos(), stmt.End(), lines)
	case deferred: // the last one deferred runs first
		ok = d.insert(stmt.Pos(), lines+"\n"+indent)
	default:
		ok = d.insert(s.after(stmt), "\n"+indent+lines)
	}
	if !ok {
		return severalFiles
	}
	return ""
}

// without takes some of the keys out of a call.
func (d *draft) without(keys []ast.Expr, out map[int]bool) bool {
	first := 0 // the first that stays
	for out[first] {
		first++
	}
	if first > 0 && !d.replace(keys[0].Pos(), keys[first].Pos(), "") {
		return false
	}
	for i := first + 1; i < len(keys); i++ {
		if out[i] && !d.replace(keys[i-1].End(), keys[i].End(), "") {
			return false
		}
	}
	return true
}

// returnedOf: return rdb.Del(ctx, key, lock).Err().
func (d *draft) returnedOf(m *locks.Member, ret *ast.ReturnStmt, u use, evals []string, left int, err string) string {
	s := d.sourceAt(m.Pos())
	indent := s.indent(m.Pos())
	check := func(call string) string {
		return "if " + err + " := " + call + "; " + err + " != nil {\n" + indent + "\treturn " + err + "\n" + indent + "}\n" + indent
	}
	text := ""
	for _, eval := range evals[:len(evals)-1] {
		text += check(eval + ".Err()")
	}
	text += "return " + evals[len(evals)-1] + ".Err()"
	ok := false
	if left == 0 {
		ok = d.replace(ret.Pos(), ret.End(), text)
	} else {
		ok = d.replace(ret.Pos(), u.expr.Pos(), "if "+err+" := ") &&
			d.insert(u.expr.End(), "; "+err+" != nil {\n"+indent+"\treturn "+err+"\n"+indent+"}\n"+indent+text)
	}
	if !ok {
		return severalFiles
	}
	return ""
}
