package locks

import (
	"fmt"
	"go/types"
	"strings"
)

// Debug shows every lock of the package as its record, in a stable form.
func (r *Result) Debug() string {
	var b strings.Builder
	for _, l := range r.Locks {
		b.WriteString(r.debug(l))
	}
	return b.String()
}

func (r *Result) debug(l *Lock) string {
	var b strings.Builder
	fmt.Fprintf(&b, "lock %s\n", l.Text)
	fmt.Fprintf(&b, "  key       %s\n", l.Key)
	fmt.Fprintf(&b, "  evidence  %s\n", l.Evidence)
	for _, m := range l.Creates {
		fmt.Fprintf(&b, "  create    %s\n", r.line(m))
		fmt.Fprintf(&b, "            ttl %s, value %s, result %s\n", ttlText(m.TTL), valueText(m.Value), r.c.form(m.Effect))
	}
	for _, list := range []struct {
		name    string
		members []*Member
	}{{"expire", l.Expires}, {"free", l.Frees}, {"checked", l.Checked}, {"other", l.Others}} {
		for _, m := range list.members {
			fmt.Fprintf(&b, "  %-9s %s; path %s\n", list.name, r.line(m), m.Path)
		}
	}
	return b.String()
}

func (r *Result) line(m *Member) string {
	s := fmt.Sprintf("%s %s in %s at %s", m.Kind, m.Lit, m.Fn.Name(), r.c.where(m.Pos()))
	if m.Cmd != nil && m.Cmd.Client != nil {
		s += " on " + short(types.ExprString(m.Cmd.Client))
	}
	switch m.Queue {
	case Pipeline:
		s += ", pipeline"
	case Multi:
		s += ", MULTI"
	case AnyQueue:
		s += ", queued"
	}
	if m.Watched {
		s += ", watched"
	}
	if m.raced != nil {
		s += ", behind a compared GET"
	}
	if m.Derived() && m.Root != nil {
		s += fmt.Sprintf(", by %s at %s", m.Root.Lit, r.c.where(m.Root.Pos()))
	}
	if m.Lock != nil && m.Lock.Evidence.Kind == NoEvidence {
		return s // never reported
	}
	if m.At == nil {
		s += ", judged where its command is written"
	} else if m.At != m.Effect {
		s += ", reported at " + r.c.where(m.At.Pos())
	}
	return s
}

func ttlText(t TTL) string {
	switch {
	case t.Missing():
		return "none"
	case t.Dur != 0:
		return t.Dur.String()
	}
	return "unknown"
}

func valueText(v Value) string {
	if v.Text == "" {
		return v.Kind.String()
	}
	return v.Text + " (" + v.Kind.String() + ")"
}
