package locks

import (
	"fmt"
	"strings"
)

// Why explains what is known at a line of a file: the lock with its evidence, or
// why a key there is not taken for one.
func (r *Result) Why(file string, line int) []string {
	if r.c == nil {
		return nil
	}
	var out []string
	at := func(m *Member) bool {
		if !m.Pos().IsValid() {
			return false
		}
		p := r.c.pass.Fset.Position(m.Pos())
		end := r.c.pass.Fset.Position(m.End())
		return p.Filename == file && p.Line <= line && line <= end.Line
	}
	for _, l := range r.Locks {
		for _, m := range l.Members() {
			if at(m) {
				out = append(out, fmt.Sprintf("key %s is a lock (%s): %s", l.Text, l.Evidence.Kind, l.Evidence.Why))
				out = append(out, r.record(l)...)
				break
			}
		}
	}
	for _, l := range r.c.dropped {
		for _, m := range l.Members() {
			if at(m) {
				out = append(out, fmt.Sprintf("key %s is not taken for a lock: %s", l.Text, r.c.whyNot(l)))
				out = append(out, r.record(l)...)
				break
			}
		}
	}
	if len(out) == 0 {
		out = append(out, fmt.Sprintf("no Redis command on a key is seen at line %d", line))
	}
	return out
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
