package locks

import (
	"go/ast"
	"slices"
	"strings"
)

// cleanUps leaves out frees by functions that clear up, beside a sound release.
func (l *Lock) cleanUps() {
	sound := slices.ContainsFunc(l.Checked, func(m *Member) bool { return m.Kind == CheckedFree })
	if !sound {
		return
	}
	l.Frees = slices.DeleteFunc(l.Frees, func(m *Member) bool {
		return !createdHere(l.Creates, m.Fn) && has(m.Fn.Name(), []string{"clear", "clean", "cleanup", "reset", "purge", "wipe", "flush", "evict", "sweep"})
	})
}

// onForce reports whether a free stands behind a condition named after force.
func (c *collector) onForce(e *Effect) bool {
	if e.Call == nil {
		return false
	}
	for _, p := range c.parents(e.Call) {
		s, ok := p.(*ast.IfStmt)
		if !ok || e.Pos() < s.Body.Pos() || e.Pos() >= s.Body.End() {
			continue
		}
		if id, ok := ast.Unparen(s.Cond).(*ast.Ident); ok && forceNamed(id.Name) {
			return true
		}
	}
	return false
}

// forced reports whether a function breaks a lock on purpose: by its name or its
// comment.
func forced(f *Func) bool {
	if forceNamed(f.Name()) {
		return true
	}
	if f.Decl == nil {
		return false
	}
	doc := strings.ToLower(f.Decl.Doc.Text())
	for _, w := range words(doc) {
		switch w {
		case "forcibly", "forcefully", "forces", "operator", "operators", "administrator", "administrators", "admin", "admins":
			return true
		}
	}
	return strings.Contains(doc, "force-") || strings.Contains(doc, "by force") ||
		strings.Contains(doc, "force unlock") || strings.Contains(doc, "force release") ||
		strings.Contains(doc, "regardless of who")
}
