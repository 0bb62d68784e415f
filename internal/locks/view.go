package locks

import (
	"go/ast"
	"go/constant"

	"github.com/locklint/locklint/internal/rediscmd"
	"github.com/locklint/locklint/internal/report"
)

// What the passes ask of a lock.

// Related returns the place of the evidence as a related position.
func (e Evidence) Related() []report.Related {
	return []report.Related{{Pos: e.Pos, Text: "this makes it a lock"}}
}

// TTL shows the expiry of the lock, "" where it is not one constant.
func (l *Lock) TTL() string {
	if len(l.Creates) != 1 {
		return ""
	}
	if t := l.Creates[0].TTL; t.Kind == rediscmd.TTLConst {
		return t.Dur.String()
	}
	return ""
}

// Keeps reports whether the expiry is KEEPTTL.
func (t TTL) Keeps() bool { return t.Kind == rediscmd.TTLKeep }

// TTLAt returns the effect at which a fault of the expiry is reported.
func (m *Member) TTLAt() *Effect {
	if m.ttlFromCaller {
		return m.Effect
	}
	return m.At
}

// ValueAt returns the effect at which a fault of the value is reported.
func (m *Member) ValueAt() *Effect {
	if m.valueFromCaller {
		return m.Effect
	}
	return m.At
}

// Elects reports whether the lock elects a leader.
func (l *Lock) Elects() bool {
	leader := []string{"leader", "leadership", "elect", "election", "elector", "campaign", "master", "primary"}
	if has(l.Key.Literals(), leader) {
		return true
	}
	for _, n := range l.Key.Names {
		if has(n, leader) {
			return true
		}
	}
	for _, cr := range l.Creates {
		if has(cr.Fn.Name(), leader) || cr.Fn.Recv() != nil && has(cr.Fn.Recv().Name(), leader) {
			return true
		}
	}
	return false
}

// Halves reports whether an expiry is the second half of a create of this lock.
func (l *Lock) Halves(m *Member) bool {
	for _, cr := range l.Creates {
		if SecondHalf(cr, m) {
			return true
		}
	}
	return false
}

// CreateFor returns the create that a free or renewal belongs to: of the same
// function if there is one.
func (l *Lock) CreateFor(m *Member) *Member {
	for _, cr := range l.Creates {
		if cr.Fn == m.Fn {
			return cr
		}
	}
	if len(l.Creates) > 0 {
		return l.Creates[0]
	}
	return nil
}

// OneOfKeys returns the key argument if the command has several.
func (e *Effect) OneOfKeys() ast.Expr {
	if e.Cmd == nil || e.Kind != Free || len(e.Cmd.Keys) < 2 || e.Cmd.Verb != rediscmd.Del {
		return nil
	}
	return e.KeyExpr
}

// GetsAndDeletes reports whether the free is a GETDEL.
func (e *Effect) GetsAndDeletes() bool {
	for ; e.Step != nil; e = e.Step {
	}
	return e.Cmd != nil && e.Cmd.Verb == rediscmd.GetDel
}

// clears reports whether an overwrite frees the lock: it stores nothing, or
// stands in a function that releases.
func (c *collector) clears(e *Effect) bool {
	if e.Derived() || e.Value.Expr == nil {
		return false
	}
	if c.releases(e.Fn) {
		return true
	}
	tv := c.info.Types[e.Value.Expr]
	return tv.IsNil() || tv.Value != nil && tv.Value.Kind() == constant.String && constant.StringVal(tv.Value) == ""
}

// Blames reports whether a token that cr does not keep is missing at a release:
// one that is not at fault, and told, somewhere else.
func (l *Lock) Blames(cr *Member) bool {
	if len(l.Checked) > 0 {
		return true
	}
	for _, m := range l.Frees {
		if !cr.Derived() || m.At != nil {
			return true
		}
	}
	return false
}

// Name shows the key as written, set off from the words of a message.
func (l *Lock) Name() string { return "`" + l.Text + "`" }
