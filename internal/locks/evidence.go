package locks

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
)

// evidence looks for a reason to take the key for a lock, the best first.
func (c *collector) evidence(l *Lock) Evidence {
	e := c.evidenceOf(l)
	// The shape of an interface wants more: freed on success, or lock-named.
	if e.Kind < FreedOnSuccess && slices.ContainsFunc(l.Creates, func(m *Member) bool {
		return m.Shape && !c.keyNamed(l) && !c.fnNamed(m.Fn)
	}) {
		return Evidence{}
	}
	return e
}

// keyNamed reports whether the text of the key, or a constant, helper or field it
// is built from, names a lock.
func (c *collector) keyNamed(l *Lock) bool {
	return c.lockNamed(l.Key.Literals()) || c.anyNamed(l.Key.Names)
}

func (c *collector) evidenceOf(l *Lock) Evidence {
	keyNamed := c.keyNamed(l)
	marker := !keyNamed && (markerNamed(l.Key.Literals()) || anyMarker(l.Key.Names) || l.byMarker())
	held := c.acquisitions(l, keyNamed)

	if e, ok := c.bySettings(l); ok {
		return e
	}
	// Freed or renewed with a check of the owner.
	for _, m := range l.Checked {
		if len(held) > 0 || len(l.Creates) == 0 && keyNamed {
			return Evidence{OwnerChecked, fmt.Sprintf("%s checks the owner", c.shown(m.Effect)), m.Pos()}
		}
	}
	if len(held) > 0 {
		if e, ok := c.freedOnSuccess(l, held, keyNamed, marker); ok {
			return e
		}
		if l.givenBack(c) {
			return c.excludes(l, held, keyNamed, marker)
		}
		if e, ok := c.siblings(l, held, keyNamed, marker); ok {
			return e
		}
		written := !marker && !l.data(nil) && c.writtenAsLock(l)
		if e, ok := c.named(l, held, keyNamed || written, marker); ok {
			return e
		}
	}
	if e, ok := c.compares(l, keyNamed, marker); ok {
		return e
	}
	if e, ok := c.renewed(l, held); ok {
		return e
	}
	if len(held) > 0 {
		return c.excludes(l, held, keyNamed, marker)
	}
	return Evidence{}
}

func (c *collector) anyNamed(names []string) bool {
	for _, n := range names {
		if c.lockNamed(n) {
			return true
		}
	}
	return false
}

// writtenAsLock reports whether the key is named after a lock where it is created:
// SetNX(ctx, lockKey, …).
func (c *collector) writtenAsLock(l *Lock) bool {
	for _, m := range l.Creates {
		if id, ok := m.KeyExpr.(*ast.Ident); ok && c.lockNamed(id.Name) {
			return true
		}
	}
	return false
}

// byMarker reports whether the key is created by a helper that is named after a
// marker: MarkSent, Claim, First.
func (l *Lock) byMarker() bool {
	for _, m := range l.Creates {
		for e := m.Step; e != nil; e = e.Step {
			if has(e.Fn.Name(), markerFuncs) {
				return true
			}
		}
	}
	return false
}

func anyMarker(names []string) bool {
	for _, n := range names {
		if markerNamed(n) {
			return true
		}
	}
	return false
}

// fnNamed reports whether a function or its type is lock-named.
func (c *collector) fnNamed(f *Func) bool {
	if c.lockNamed(f.Name()) {
		return true
	}
	r := f.Recv()
	return r != nil && c.lockNamed(r.Name())
}

// shown tells where an effect is: Release (store.go:33).
func (c *collector) shown(e *Effect) string {
	if e.floating {
		return fmt.Sprintf("%s.%s (%s)", e.Fn.Obj.Pkg().Name(), e.Fn.Name(), e.Far.Where)
	}
	return fmt.Sprintf("%s (%s)", e.Fn.Name(), c.where(e.Pos()))
}

func (c *collector) fnAt(f *Func) string {
	if f.Decl == nil {
		return f.Obj.Pkg().Name() + "." + f.Name()
	}
	return fmt.Sprintf("%s (%s)", f.Name(), c.where(f.Decl.Pos()))
}

// Evidence says why a key is a lock.
type Evidence struct {
	Kind EvidenceKind
	// Why is the reason in words: "Release (store.go:33) deletes it".
	Why string
	Pos token.Pos
}

// An EvidenceKind is one of the reasons to take a key for a lock.
type EvidenceKind uint8

const (
	NoEvidence EvidenceKind = iota
	// Excludes: the create decides whether code runs, and the expiry is set by a
	// second command. Enough for setnx-expire alone.
	Excludes
	// Renewed: the holder keeps it alive in a loop. Enough for unowned-renew alone.
	Renewed
	// Compares: the value is compared with the caller's before the key is freed.
	Compares
	// Named: key, function or type is named after a lock, and it is freed or renewed.
	Named
	// Siblings: created and freed by functions named like acquire and release.
	Siblings
	// FreedOnSuccess: the holder frees it when the work is done.
	FreedOnSuccess
	// OwnerChecked: it is freed or renewed with a check of the owner.
	OwnerChecked
)

var evidenceNames = [...]string{"none", "excludes", "renewed", "compares", "named", "siblings", "freed on success", "owner checked"}

// String is the kind, and why it was found, if it was.
func (e Evidence) String() string {
	if e.Why == "" {
		return e.Kind.String()
	}
	return e.Kind.String() + ": " + e.Why
}

func (k EvidenceKind) String() string { return evidenceNames[k] }

// IsLock reports whether the evidence is enough for all rules.
func (e Evidence) IsLock() bool { return e.Kind >= Compares }
