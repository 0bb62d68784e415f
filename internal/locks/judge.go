package locks

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/locklint/locklint/internal/defs"
)

// judge makes a Lock of a group if there is evidence that it is one.
func (c *collector) judge(g []*cluster) *Lock {
	l := &Lock{}
	for _, k := range g {
		if c.ignored(k.fn) {
			continue
		}
		for _, e := range k.effects {
			m := &Member{Effect: e, Lock: l, linked: k.linked}
			switch e.Kind {
			case Create:
				l.Creates = append(l.Creates, m)
			case Expire:
				l.Expires = append(l.Expires, m)
			case Free:
				if !forced(k.fn) && !e.forced && !c.onForce(e) {
					l.Frees = append(l.Frees, m)
				}
			case CheckedFree, CheckedRenew:
				l.Checked = append(l.Checked, m)
			case Overwrite:
				if c.clears(e) && !forced(k.fn) {
					e.Weak = true
					l.Frees = append(l.Frees, m)
					continue
				}
				l.Others = append(l.Others, m)
			default:
				l.Others = append(l.Others, m)
			}
			if e.KeyExpr != nil && l.Text == "" && (e.Kind == Create || len(l.Creates) == 0) {
				l.Text = short(types.ExprString(e.KeyExpr))
			}
			l.Key.Names = append(l.Key.Names, e.Key.Names...)
		}
		if l.Key.Parts == nil || k.creates() && !l.hasKeyOf(k) {
			l.Key.Parts = k.key.Parts
		}
	}
	for _, m := range l.Creates {
		if m.KeyExpr != nil {
			l.Text = short(types.ExprString(m.KeyExpr))
			l.Key.Parts = m.Key.Parts
			break
		}
	}
	if l.Text == "" {
		l.Text = l.Key.String()
	}
	if c.excluded(l.Key) {
		c.dropped = append(c.dropped, l)
		return nil
	}
	l.callsOnly()
	l.unguarded()
	l.cleanUps()
	c.paths(l)
	c.races(l)
	if l.Evidence = c.evidence(l); l.Evidence.Kind == NoEvidence {
		c.dropped = append(c.dropped, l)
		return nil
	}
	for _, m := range l.Members() {
		m.Effect.lock = l
	}
	return l
}

func (l *Lock) hasKeyOf(k *cluster) bool {
	for _, m := range l.Creates {
		if m.Fn != k.fn {
			return true
		}
	}
	return false
}

// callsOnly leaves out what an imported function does where a call of it is among
// the members.
func (l *Lock) callsOnly() {
	called := map[Origin]bool{}
	for _, m := range l.Members() {
		if m.Far != nil && !m.floating {
			called[*m.Far] = true
		}
	}
	for _, list := range []*[]*Member{&l.Creates, &l.Expires, &l.Frees, &l.Checked, &l.Others} {
		*list = slices.DeleteFunc(*list, func(m *Member) bool { return m.floating && called[*m.Far] })
	}
}

// unguarded takes an expiry queued in a watched transaction together with the
// create for what it is: the second half of the create, not a checked renewal.
func (l *Lock) unguarded() {
	l.Checked = slices.DeleteFunc(l.Checked, func(m *Member) bool {
		if m.Kind != CheckedRenew || !m.Watched {
			return false
		}
		for _, cr := range l.Creates {
			if cr.QueueOf != nil && cr.QueueOf == m.QueueOf {
				m.Kind = Expire
				m.Lit = m.Cmd.Name
				l.Expires = append(l.Expires, m)
				return true
			}
		}
		return false
	})
}

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

// paths finds how each effect is reached from the creates of its function.
func (c *collector) paths(l *Lock) {
	for _, m := range l.Members() {
		if m.Kind == Create {
			continue
		}
		first := true
		for _, cr := range l.Creates {
			if cr.Fn != m.Fn {
				continue
			}
			p := c.path(cr.Effect, m.Effect)
			if first {
				m.Path, m.Same, first = p, true, false
				continue
			}
			m.Path.set |= p.set
			m.Path.Unknown = m.Path.Unknown && p.Unknown
			m.Path.Loop = m.Path.Loop && p.Loop
		}
		if !m.Same {
			m.Path = Path{Unknown: true}
			if m.Call != nil {
				m.Path.Loop = c.inLoop(m.Effect, nil) || m.Looped
			}
		}
	}
}

// races marks the frees and expiries that stand behind a GET of the same key whose
// answer is compared with the caller's value.
func (c *collector) races(l *Lock) {
	for _, list := range [][]*Member{l.Frees, l.Expires} {
		for _, m := range list {
			for _, r := range l.Others {
				if r.Kind == Read && r.Fn == m.Fn && r.Call != nil && r.Pos() < m.Pos() && c.compared(r.Effect) {
					m.raced = r.Effect
				}
			}
		}
	}
}

// Raced returns the GET whose compare the effect stands behind, nil if there is
// none.
func (e *Effect) Raced() *Effect { return e.raced }

// compared reports whether what a GET answers is compared with a value that is
// not a mere constant for "none".
func (c *collector) compared(r *Effect) bool {
	res := c.results(r.Fn, r, r.Call)
	found := false
	ast.Inspect(r.Fn.Decl, func(n ast.Node) bool {
		b, ok := n.(*ast.BinaryExpr)
		if !ok || b.Op != token.EQL && b.Op != token.NEQ {
			return !found
		}
		for _, s := range [][2]ast.Expr{{b.X, b.Y}, {b.Y, b.X}} {
			switch res.class(s[0], 0, 0) {
			case statusResult, numResult:
			default:
				continue
			}
			tv := c.info.Types[s[1]]
			if tv.IsNil() || tv.Value != nil && tv.Value.Kind() == constant.String && constant.StringVal(tv.Value) == "" {
				continue
			}
			found = true
		}
		return !found
	})
	return found
}

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

// acquisitions are the creates whose result somebody looks at, or all of them if
// the key or the function is lock-named.
func (c *collector) acquisitions(l *Lock, keyNamed bool) []*Member {
	var out []*Member
	for _, m := range l.Creates {
		if c.looked(m.Effect) || c.heedless(l, m, keyNamed) {
			out = append(out, m)
		}
	}
	return out
}

// heedless reports whether a create whose result nobody looks at is an acquisition
// all the same: named after a lock. A flag that bars an account is named so too: it
// is asked for elsewhere, or set by a function that can only tell an error.
func (c *collector) heedless(l *Lock, m *Member, keyNamed bool) bool {
	if has(l.Key.Literals(), barWords) || l.asked() {
		return false
	}
	if keyNamed || m.Fn.Recv() != nil && c.lockNamed(m.Fn.Recv().Name()) {
		return true
	}
	if !c.fnNamed(m.Fn) && !c.acquires(m.Fn) {
		return false
	}
	for v := range m.Fn.Obj.Type().(*types.Signature).Results().Variables() {
		if !isError(v.Type()) {
			return true
		}
	}
	return false
}

// asked reports whether somebody asks if the key is there.
func (l *Lock) asked() bool {
	return slices.ContainsFunc(l.Others, func(m *Member) bool { return m.Kind == Inspect })
}

// fnNamed reports whether a function or its type is lock-named.
func (c *collector) fnNamed(f *Func) bool {
	if c.lockNamed(f.Name()) {
		return true
	}
	r := f.Recv()
	return r != nil && c.lockNamed(r.Name())
}

// looked reports whether the result of a create is looked at: anything but a
// statement of its own, or an error that does not tell.
func (c *collector) looked(e *Effect) bool {
	if e.floating {
		return e.farLooked
	}
	call := ast.Node(e.Call)
	parents := c.parents(call)
	tells := e.NoReply || e.Script // the error alone may tell who acquired
	if t := c.info.TypeOf(e.Call); t != nil && isError(t) {
		tells = true
	}
	for i := 0; i < len(parents); i++ {
		switch p := parents[i].(type) {
		case *ast.SelectorExpr:
			if i+1 < len(parents) {
				if outer, ok := parents[i+1].(*ast.CallExpr); ok && ast.Unparen(outer.Fun) == ast.Expr(p) {
					if p.Sel.Name == "Err" && !tells {
						return false
					}
					i++
					continue
				}
			}
			return true
		case *ast.ExprStmt, *ast.GoStmt, *ast.DeferStmt:
			return false
		case *ast.AssignStmt:
			if len(p.Rhs) != 1 {
				return true
			}
			for k, lhs := range p.Lhs {
				if id, ok := lhs.(*ast.Ident); ok && id.Name == "_" {
					continue
				}
				if v := c.defs.Var(lhs); v != nil && isError(v.Type()) && !tells && len(p.Lhs) > 1 && k == len(p.Lhs)-1 {
					continue
				}
				if v := c.defs.Var(lhs); v != nil && cmdName(v.Type()) != "" && !defs.IsGlobal(v) {
					return c.cmdLooked(e, v, tells)
				}
				return true
			}
			return false
		default:
			return true
		}
	}
	return true
}

// cmdLooked reports whether a kept command is asked for more than its error.
func (c *collector) cmdLooked(e *Effect, v *types.Var, tells bool) bool {
	looked := false
	ast.Inspect(e.Fn.Decl, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if ok && c.defs.Var(sel.X) == v {
			switch sel.Sel.Name {
			case "Err":
				looked = looked || tells
			case "Result":
				if as, ok := c.parentOf(c.parentOf(sel)).(*ast.AssignStmt); ok && len(as.Lhs) == 2 {
					id, blank := as.Lhs[0].(*ast.Ident)
					looked = looked || tells || !blank || id.Name != "_"
					return false
				}
				looked = true
			default:
				looked = true
			}
			return false
		}
		if id, ok := n.(*ast.Ident); ok && c.info.Uses[id] == v {
			looked = true // passed on or returned
		}
		return true
	})
	return looked
}

// freedOnSuccess: the holder deletes the key when the work is done.
func (c *collector) freedOnSuccess(l *Lock, held []*Member, keyNamed, marker bool) (Evidence, bool) {
	if !keyNamed && l.data(nil) {
		return Evidence{}, false
	}
	for _, m := range l.Frees {
		if !m.Same || m.Weak || m.raced != nil || !m.Path.Succeeded() || !createdHere(held, m.Fn) {
			continue
		}
		if !(m.Path.Acquired() || m.Path.Deferred || keyNamed) {
			continue
		}
		if !keyNamed && c.allKept(held, m.Fn, l.Frees) {
			continue
		}
		if marker && !m.Path.Deferred && (!m.Path.Acquired() || l.byMarker()) {
			continue
		}
		return Evidence{FreedOnSuccess, fmt.Sprintf("%s deletes it when the work is done", c.shown(m.Effect)), m.Pos()}, true
	}
	return Evidence{}, false
}

// allKept reports whether the key of each create of a function may be kept by a
// holder whose work succeeded.
func (c *collector) allKept(held []*Member, f *Func, frees []*Member) bool {
	for _, cr := range held {
		if cr.Fn == f && !c.keptOnSuccess(cr, frees) {
			return false
		}
	}
	return true
}

func createdHere(held []*Member, f *Func) bool {
	for _, m := range held {
		if m.Fn == f {
			return true
		}
	}
	return false
}

// data reports whether the key also holds data: a counter, a list, a value that is
// read or overwritten. within limits it to some functions.
func (l *Lock) data(within func(*Func) bool) bool {
	for _, m := range l.Others {
		if within != nil && !within(m.Fn) {
			continue
		}
		if m.Kind == Data || m.Kind == Overwrite {
			return true
		}
	}
	return false
}

// siblings: created and freed by functions named like acquire and release.
func (c *collector) siblings(l *Lock, held []*Member, keyNamed, marker bool) (Evidence, bool) {
	if marker {
		return Evidence{}, false
	}
	for _, cr := range held {
		if !c.acquires(cr.Fn) {
			continue
		}
		for _, m := range l.Frees {
			if c.releases(m.Fn) && m.Fn != cr.Fn && (c.tied(cr.Fn, m.Fn) || keyNamed || m.linked) {
				return Evidence{Siblings, fmt.Sprintf("%s acquires it and %s deletes it", c.fnAt(cr.Fn), c.shown(m.Effect)), m.Pos()}, true
			}
		}
	}
	return Evidence{}, false
}

// named: the key, the function or the type is named after a lock, and something
// frees or renews the key.
func (c *collector) named(l *Lock, held []*Member, keyNamed, marker bool) (Evidence, bool) {
	what := ""
	switch {
	case keyNamed && !has(l.Key.Literals(), barWords):
		what = "its key is named after a lock"
	case keyNamed:
		// A flag that bars an account is named so too.
	case marker:
		return Evidence{}, false
	}
	for _, list := range [][]*Member{l.Frees, l.Expires} {
		for _, m := range list {
			if m.Same && (m.Path.WorkFailed() || !m.Path.After()) {
				continue // a marker given back, or cleared beforehand
			}
			if m.Kind == Expire && !c.renewal(l, m) {
				continue
			}
			why := what
			if why == "" {
				for _, f := range append([]*Func{m.Fn}, fnsOf(held)...) {
					if c.fnNamed(f) && (f != m.Fn || !m.Same || createdHere(held, f)) {
						why = c.fnAt(f) + " is named after a lock"
						break
					}
				}
			}
			if why == "" {
				continue
			}
			verb := "deletes"
			if m.Kind == Expire {
				verb = "renews"
			}
			return Evidence{Named, fmt.Sprintf("%s and %s %s it", why, c.shown(m.Effect), verb), m.Pos()}, true
		}
	}
	return Evidence{}, false
}

func fnsOf(ms []*Member) []*Func {
	var out []*Func
	for _, m := range ms {
		out = append(out, m.Fn)
	}
	return out
}

// renewal reports whether an unconditional expiry renews a lock that has a TTL of
// its own: in a loop, in a function named after renewing, not the promotion of a
// marker that was just created.
func (c *collector) renewal(l *Lock, m *Member) bool {
	if m.Kind != Expire {
		return false
	}
	if m.Same {
		if m.Path.Loop && (m.Path.After() || m.Path.Unknown) || renewNamed(m.Fn.Name()) && !createdHere(l.Creates, m.Fn) {
			return true
		}
		// A func that is handed on, of a lock beyond doubt: refresh := func() …
		return m.Path.Async && (c.keyNamed(l) || len(l.Checked) > 0)
	}
	return m.Path.Loop || renewNamed(m.Fn.Name()) || c.fnNamed(m.Fn) && !c.releases(m.Fn) && !c.acquires(m.Fn)
}

// compares: the value is compared before the key is freed or renewed, and the key
// is created or lock-named. One-time codes are compared too: they are not created
// NX and not named after a lock.
func (c *collector) compares(l *Lock, keyNamed, marker bool) (Evidence, bool) {
	for _, list := range [][]*Member{l.Frees, l.Expires} {
		for _, m := range list {
			if m.raced == nil {
				continue
			}
			named := keyNamed || c.fnNamed(m.Fn) || c.releases(m.Fn) && has(m.Fn.Name(), lockWords)
			created := len(l.Creates) > 0 && !marker
			owner := m.InTx && c.comparesOwner(m.raced)
			if named || created || owner {
				return Evidence{Compares, fmt.Sprintf("%s compares its value with the owner's before", c.shown(m.raced)), m.Pos()}, true
			}
		}
	}
	return Evidence{}, false
}

// renewed: the holder keeps the key alive in a loop while the work runs, and the
// value names an owner. Enough for the rules of renewal alone.
func (c *collector) renewed(l *Lock, held []*Member) (Evidence, bool) {
	if !c.anyOwner(held) || l.data(nil) {
		return Evidence{}, false
	}
	for _, m := range l.Expires {
		if m.Same && m.Path.Loop && m.Path.Acquired() && createdHere(held, m.Fn) && !l.Halves(m) {
			return Evidence{Renewed, fmt.Sprintf("%s keeps it alive while the work runs", c.shown(m.Effect)), m.Pos()}, true
		}
	}
	return Evidence{}, false
}

// comparesOwner reports whether what a GET answers is compared with something
// named after an owner.
func (c *collector) comparesOwner(r *Effect) bool {
	res := c.results(r.Fn, r, r.Call)
	found := false
	ast.Inspect(r.Fn.Decl, func(n ast.Node) bool {
		if b, ok := n.(*ast.BinaryExpr); ok && (b.Op == token.EQL || b.Op == token.NEQ) {
			for _, s := range [][2]ast.Expr{{b.X, b.Y}, {b.Y, b.X}} {
				if res.class(s[0], 0, 0) == statusResult && ownerNamed(types.ExprString(s[1])) {
					found = true
				}
			}
		}
		return !found
	})
	return found
}

var ownerWords = []string{"token", "owner", "holder", "uuid", "identifier", "lockid", "lockvalue", "nonce", "secret", "tok"}

func ownerNamed(s string) bool { return has(s, ownerWords) }

// ownerValue reports whether a create stores a token that names its owner: a sign
// of a lock where the rest is ambiguous.
func (c *collector) ownerValue(e *Effect) bool {
	switch e.Value.Kind {
	case ValueFresh:
		return true
	case ValueKept:
		if ownerNamed(e.Value.Text) {
			return true
		}
		if e.Value.Expr != nil {
			if call, ok := c.defs.Resolve(e.Value.Expr).(*ast.CallExpr); ok {
				return c.callKind(call, 0) == ValueFresh
			}
		}
	}
	return false
}

// excludes: SETNX and EXPIRE need no release to be a fault. It is enough that the
// create decides whether code runs and that the key holds no data. An expiry that
// losers set too is a sliding window unless the value names an owner.
func (c *collector) excludes(l *Lock, held []*Member, keyNamed, marker bool) Evidence {
	for _, cr := range held {
		if !c.looked(cr.Effect) && cr.Queue == NoQueue {
			continue
		}
		if l.data(func(f *Func) bool { return f == cr.Fn || f.Recv() != nil && f.Recv() == cr.Fn.Recv() }) || l.readAsData(c, cr.Fn) {
			continue
		}
		for _, m := range l.Expires {
			if !m.Same || m.Fn != cr.Fn || !SecondHalf(cr, m) {
				continue
			}
			losers := m.Path.Unheld() || m.Queue != NoQueue || m.Losers
			if losers && !(c.ownerValue(cr.Effect) || keyNamed || c.fnNamed(cr.Fn) || c.acquires(cr.Fn)) {
				continue
			}
			return Evidence{Excludes, "its creation decides who runs", cr.Pos()}
		}
	}
	// A caller that did not acquire deletes the key of an owner.
	for _, m := range l.Frees {
		if m.Same && m.Path.NotAcquired() && (keyNamed || !marker && c.anyOwner(held)) {
			return Evidence{Compares, "its value names an owner", m.Pos()}
		}
	}
	return Evidence{}
}

// SecondHalf reports whether an expiry is the second half of a create: the create
// sets none itself, or a script sets it for losers too.
func SecondHalf(cr, m *Member) bool {
	if m.Script && m.Losers {
		return m.Call == cr.Call
	}
	return cr.TTL.Missing()
}

func (c *collector) anyOwner(held []*Member) bool {
	for _, m := range held {
		if c.ownerValue(m.Effect) {
			return true
		}
	}
	return false
}

// givenBack reports whether the function that frees the key reads what it holds and
// uses it: stock that is given back, not a lock. What is compared is an owner.
func (l *Lock) givenBack(c *collector) bool {
	for _, cr := range l.Creates {
		if cr.Value.Kind != ValueKept || c.ownerValue(cr.Effect) {
			return false
		}
	}
	for _, m := range l.Frees {
		for _, r := range l.Others {
			if r.Kind == Read && r.Fn == m.Fn && !r.Derived() && c.looked(r.Effect) && !c.compared(r.Effect) {
				return true
			}
		}
	}
	return false
}

// readAsData reports whether a GET of the key in the function or its type is used
// for anything but a compare.
func (l *Lock) readAsData(c *collector, f *Func) bool {
	for _, m := range l.Others {
		if m.Kind == Read && (m.Fn == f || f.Recv() != nil && f.Recv() == m.Fn.Recv()) && !m.Derived() && !c.compared(m.Effect) {
			return true
		}
	}
	return false
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

// Renewal reports whether an unconditional expiry renews the lock.
func (m *Member) Renewal() bool { return m.renewal }
