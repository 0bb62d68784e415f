package locks

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// An Explanation is what is known at a line of a file.
type Explanation struct {
	// Lines tell the locks with their evidence, and why other keys are none.
	Lines []string
	// Places are where faults of these locks are reported; nil without a lock.
	Places []Place
	// Elsewhere says that a fault in a part of them is reported in another package,
	// or with another lock.
	Elsewhere bool
}

// A Place is some code.
type Place struct{ Pos, End token.Position }

// Covers reports whether p stands within the lines of the place.
func (at Place) Covers(p token.Position) bool {
	return p.Filename == at.Pos.Filename && at.Pos.Line <= p.Line && p.Line <= at.End.Line
}

// Why explains what is known at a line of a file: the lock with its evidence, or
// why a key there is not taken for one.
func (r *Result) Why(file string, line int) Explanation {
	var x Explanation
	nothing := fmt.Sprintf("no Redis command on a key is seen at line %d", line)
	if r.c == nil { // no lock can be in the package
		x.Lines = append(x.Lines, nothing)
		return x
	}
	here := token.Position{Filename: file, Line: line}
	at := func(n ast.Node) bool { return n.Pos().IsValid() && r.place(n).Covers(here) }
	member := func(m *Member) bool { return at(m) }
	for _, l := range r.Locks {
		if !slices.ContainsFunc(l.Members(), member) {
			continue
		}
		x.Lines = append(x.Lines, fmt.Sprintf("key %s is a lock (%s): %s", l.Text, l.Evidence.Kind, l.Evidence.Why))
		x.Lines = append(x.Lines, r.record(l)...)
		r.addPlaces(&x, l)
	}
	for _, l := range r.c.dropped {
		if slices.ContainsFunc(l.Members(), member) {
			x.Lines = append(x.Lines, fmt.Sprintf("key %s is not taken for a lock: %s", l.Text, r.c.whyNot(l)))
			x.Lines = append(x.Lines, r.record(l)...)
		}
	}
	for _, u := range r.c.unseen {
		if at(u.call) {
			x.Lines = append(x.Lines, u.why)
		}
	}
	if len(x.Lines) == 0 {
		x.Lines = append(x.Lines, nothing)
	}
	return x
}

// addPlaces adds where faults of l are reported: at its commands, at the calls that
// stand for them, at the values.
func (r *Result) addPlaces(x *Explanation, l *Lock) {
	add := func(n ast.Node) {
		if n.Pos().IsValid() {
			x.Places = append(x.Places, r.place(n))
		}
	}
	var values []Value
	for _, m := range l.Members() {
		add(m)
		if m.At != nil {
			add(m.At)
		}
		faulty := m.Kind == Create || m.Kind == Expire || m.Kind == Free
		x.Elsewhere = x.Elsewhere || faulty && m.At == nil
		values = append(append(values, m.Value), m.Supplies...)
	}
	for _, v := range values {
		if v.Expr != nil {
			add(v.Expr)
		}
	}
}

func (r *Result) place(n ast.Node) Place {
	return Place{r.c.pass.Fset.Position(n.Pos()), r.c.pass.Fset.Position(n.End())}
}

// unseen is a call of a script of which no effect is known.
type unseen struct {
	call *ast.CallExpr
	why  string
}

// record is the record of a lock, a line an entry.
func (r *Result) record(l *Lock) []string {
	return strings.Split(strings.TrimRight(r.debug(l), "\n"), "\n")[1:]
}

// whyNot says what evidence is missing.
func (c *collector) whyNot(l *Lock) string {
	keyNamed := c.keyNamed(l)
	switch {
	case c.excluded(l.Key):
		return "-not-lock names its prefix"
	case len(l.Creates) == 0:
		return "nothing that is seen from here creates it with NX"
	case len(c.acquisitions(l, keyNamed)) == 0:
		return "nobody looks at the result of its creation, and neither key nor function is named after a lock"
	case len(l.Frees)+len(l.Checked)+len(l.Expires) == 0:
		return "nothing that is seen from here frees or renews it: a marker, a cooldown, a guard"
	case !keyNamed && l.data(nil):
		return "it holds data: a counter, a list, a value that is written over"
	}
	failed := len(l.Frees) > 0
	for _, m := range l.Frees {
		failed = failed && m.Same && m.Path.WorkFailed()
	}
	if failed {
		return "it is freed only where the work failed: a marker that is given back"
	}
	if !keyNamed && (markerNamed(l.Key.Literals()) || anyMarker(l.Key.Names) || l.byMarker()) {
		return "its name is that of a marker"
	}
	return "it is not freed by its holder after the work, and neither key, function nor type is named after a lock"
}
