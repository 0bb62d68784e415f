package locks

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"github.com/locklint/locklint/internal/keyexpr"
)

// A cluster is the effects of one function on one key.
type cluster struct {
	fn      *Func
	key     keyexpr.Key
	effects []*Effect
	foreign bool     // of an imported function
	linked  bool     // tied by a field that the acquiring function fills
	group   *cluster // union-find
}

func (k *cluster) find() *cluster {
	for k.group != nil {
		k = k.group
	}
	return k
}

func (k *cluster) creates() bool {
	return slices.ContainsFunc(k.effects, func(e *Effect) bool { return e.Kind == Create })
}

// clusters puts the effects of each function together by key.
func (c *collector) clusters() []*cluster {
	var all []*cluster
	for _, f := range c.funcs {
		var own []*cluster
		for _, e := range f.Effects {
			i := slices.IndexFunc(own, func(k *cluster) bool { return keyexpr.Same(k.key, e.Key, c.sameElem) })
			if i < 0 {
				own = append(own, &cluster{fn: f, key: e.Key})
				i = len(own) - 1
			}
			own[i].effects = append(own[i].effects, e)
			own[i].key.Names = append(own[i].key.Names, e.Key.Names...)
		}
		all = append(all, own...)
	}
	return all
}

// groups joins the clusters of a package that are about one key. Each group has
// a create, or a compare that wants one.
func (c *collector) groups() [][]*cluster {
	all := c.clusters()
	if len(all) == 0 {
		return nil
	}
	all = append(all, c.foreignClusters()...)
	for _, k := range all {
		if !k.creates() {
			continue
		}
		for _, o := range all {
			if o == k || k.find() == o.find() || k.foreign && o.foreign || k.fn == o.fn {
				continue
			}
			linked := !k.foreign && !o.foreign && c.fills(k, o)
			if linked || c.meets(k, o) {
				o.linked = o.linked || linked
				o.find().group = k.find()
			}
		}
	}
	byRoot := map[*cluster][]*cluster{}
	var roots []*cluster
	for _, k := range all {
		r := k.find()
		if byRoot[r] == nil {
			roots = append(roots, r)
		}
		byRoot[r] = append(byRoot[r], k)
	}
	out := make([][]*cluster, 0, len(roots))
	for _, r := range roots {
		if slices.ContainsFunc(byRoot[r], func(k *cluster) bool { return !k.foreign }) {
			out = append(out, byRoot[r])
		}
	}
	slices.SortStableFunc(out, func(a, b []*cluster) int { return c.inSource(first(a), first(b)) })
	return out
}

// meets reports whether two functions mean the same key. What is only the shape of
// a command must stand in one type.
func (c *collector) meets(k, o *cluster) bool {
	if (k.shape() || o.shape()) && (k.foreign || o.foreign || k.fn.Recv() == nil || k.fn.Recv() != o.fn.Recv()) {
		return false
	}
	return keyexpr.SameTemplate(k.key, o.key) || !k.foreign && !o.foreign && c.namedPair(k, o)
}

func (k *cluster) shape() bool {
	return slices.ContainsFunc(k.effects, func(e *Effect) bool { return e.Shape })
}

// fills reports whether the key of o is a field that the function of k gives the
// key of k: a handle that carries the key to its release.
func (c *collector) fills(k, o *cluster) bool {
	if !o.key.Bare() || o.key.Parts[0].Hole.Path == "" {
		return false
	}
	for _, e := range o.effects {
		sel, ok := ast.Unparen(exprOf(e)).(*ast.SelectorExpr)
		if !ok {
			continue
		}
		s := c.info.Selections[sel]
		if s == nil || s.Kind() != types.FieldVal {
			continue
		}
		f, ok := s.Obj().(*types.Var)
		if !ok {
			continue
		}
		for _, d := range c.defs.Fields(f) {
			if d.Rhs != nil && k.fn.Decl.Pos() <= d.Pos && d.Pos < k.fn.Decl.End() &&
				keyexpr.Same(c.fold.Fold(d.Rhs, k.fn.Scope), k.key, c.sameElem) {
				return true
			}
		}
	}
	return false
}

func exprOf(e *Effect) ast.Expr {
	if e.KeyExpr == nil {
		return &ast.BadExpr{}
	}
	return e.KeyExpr
}

// first returns the first place in the source at which a group has an effect, for
// effects of one file.
func first(g []*cluster) token.Pos {
	for _, k := range g {
		pos := token.NoPos
		for _, e := range k.effects {
			if p := e.Pos(); p.IsValid() && (pos == token.NoPos || p < pos) {
				pos = p
			}
		}
		if pos.IsValid() {
			return pos
		}
	}
	return token.NoPos
}

// inSource orders positions by file and place. Positions themselves do not tell the
// order of files: loaders parse them concurrently.
func (c *collector) inSource(a, b token.Pos) int {
	p, q := c.pass.Fset.Position(a), c.pass.Fset.Position(b)
	return cmp.Or(strings.Compare(p.Filename, q.Filename), cmp.Compare(p.Offset, q.Offset))
}

// namedPair ties two functions that take the key as a bare parameter: a method of
// the same type, or a function of the same file, named like acquire and release.
func (c *collector) namedPair(a, b *cluster) bool {
	if a.key.Param() < 0 || b.key.Param() < 0 || a.fn == b.fn {
		return false
	}
	if !c.acquires(a.fn) || !sameFamily(a.fn.Name(), b.fn.Name()) {
		return false
	}
	if b.creates() {
		return c.acquires(b.fn) && c.tied(a.fn, b.fn)
	}
	return (c.releases(b.fn) || renewsLock(a.fn.Name(), b.fn.Name())) && c.tied(a.fn, b.fn)
}

// renewsLock reports whether a name says no more than that the lock of acquire is
// renewed: Renew, Extend, RefreshLock; not RefreshSession, ExtendTTL or Touch.
func renewsLock(acquire, name string) bool {
	if !renewNamed(name) || general(name) {
		return false
	}
	of := strings.Fields(stem(acquire))
	lock := has(name, lockWords)
	for _, w := range words(name) {
		switch {
		case w == "ttl" && !lock:
			return false
		case slices.Contains(renewWords, w), slices.Contains(lockWords, w), slices.Contains(fillWords, w), slices.Contains(of, w):
		default:
			return false
		}
	}
	return true
}

// tied reports whether two functions belong together: methods of one type, or
// plain functions in one file or with the same name but for the words that tell
// acquire from release.
func (c *collector) tied(a, b *Func) bool {
	if ra, rb := a.Recv(), b.Recv(); ra != nil || rb != nil {
		return ra == rb
	}
	if a.Decl == nil || b.Decl == nil {
		return a.Obj.Pkg() == b.Obj.Pkg() || stem(a.Name()) == stem(b.Name())
	}
	fa := c.pass.Fset.Position(a.Decl.Pos()).Filename
	fb := c.pass.Fset.Position(b.Decl.Pos()).Filename
	return fa == fb || stem(a.Name()) == stem(b.Name())
}

// sameFamily reports whether two names speak of one lock: AcquireOrderLock and
// ReleaseOrderLock do, TryLock and Unlock do, AcquireOrderLock and ReleaseUserLock
// do not.
func sameFamily(a, b string) bool {
	wa, wb := strings.Fields(stem(a)), strings.Fields(stem(b))
	if len(wa) > len(wb) {
		wa, wb = wb, wa
	}
	for _, w := range wa {
		if !slices.Contains(wb, w) && !slices.Contains(renewWords, w) {
			return false
		}
	}
	return true
}

// fillWords say how a lock is taken or given back, not which.
var fillWords = []string{
	"try", "un", "set", "get", "add", "do", "take", "del", "delete", "remove", "drop", "clear", "end", "exit", "redis",
	"with", "by", "to", "the", "a", "must", "safe", "safely", "wait", "key", "nx", "for", "using", "blocking", "non", "retry", "timeout", "ttl", "ctx", "context", "token", "owner", "value",
}

// stem is a function's name without the words that acquire and release.
func stem(name string) string {
	var out []string
	for _, w := range words(name) {
		if !slices.Contains(acquireWords, w) && !slices.Contains(releaseWords, w) && !slices.Contains(fillWords, w) {
			out = append(out, w)
		}
	}
	return strings.Join(out, " ")
}

func (c *collector) acquires(f *Func) bool {
	return acquireNamed(f.Name()) || configured(f.Obj, c.cfg.Acquire)
}

func (c *collector) releases(f *Func) bool {
	return releaseNamed(f.Name()) || configured(f.Obj, c.cfg.Release)
}

// configured reports whether a function is in a list of import/path.Func or
// import/path.Type.Method.
func configured(fn *types.Func, list []string) bool {
	if len(list) == 0 {
		return false
	}
	return slices.Contains(list, qualified(fn))
}

func qualified(fn *types.Func) string {
	path := pathOf(fn)
	name := fn.Name()
	if r := fn.Type().(*types.Signature).Recv(); r != nil {
		t := r.Type()
		if p, ok := t.(*types.Pointer); ok {
			t = p.Elem()
		}
		if n, ok := types.Unalias(t).(*types.Named); ok {
			name = n.Obj().Name() + "." + name
		}
	}
	return path + "." + name
}

// locks judges every group and returns the locks, in source order.
func (c *collector) locks() []*Lock {
	var out []*Lock
	for _, g := range c.groups() {
		if l := c.judge(g); l != nil {
			out = append(out, l)
		}
	}
	for _, l := range out {
		for _, m := range l.Members() {
			m.At = c.reportAt(m)
			m.renewal = c.renewal(l, m)
		}
		l.rootRenewals()
	}
	return out
}

// rootRenewals takes a command for a renewal where a call of its function is one.
func (l *Lock) rootRenewals() {
	for _, m := range l.Expires {
		for _, r := range l.Expires {
			if m.renewal && m.Derived() && r.Effect == m.Root {
				r.renewal = true
			}
		}
	}
}

// reportAt finds the root of a fault: a derived effect whose command is part of a
// lock itself is reported there; the command of an unexported helper that is used
// for locks only stands for all its callers; else the call is to blame.
func (c *collector) reportAt(m *Member) *Effect {
	if !m.Derived() {
		return m.Effect
	}
	if m.floating {
		// The free of an imported package: told at the acquiring call.
		if cr := m.Lock.CreateFor(m); cr != nil && !cr.floating && !m.Far.Judged && m.Kind != Create {
			return cr.Effect
		}
		return nil
	}
	if m.Root != nil && m.Root.lock != nil || m.Far != nil && m.Far.Judged {
		return nil
	}
	at := m.Effect
	for at.Step != nil && at.Step.Call != nil && !general(at.Step.Fn.Name()) && c.onlyForLocks(at.Step) {
		at = at.Step
	}
	return at
}

// generalWords are what a helper is called that does no more than its command.
var generalWords = []string{
	"del", "delete", "remove", "rm", "drop", "clear", "unlink", "erase", "invalidate", "touch", "expire", "set", "setnx",
	"nx", "key", "keys", "redis", "cache", "with", "ttl", "ex", "if", "not", "exist", "exists", "absent", "value", "string",
	"cmd", "do", "safe", "once", "one", "put", "add", "store", "from", "item", "bump", "reset", "expiry", "expiration",
}

// general reports whether a helper's name says no more than what its command does.
func general(name string) bool {
	for _, w := range words(name) {
		if !slices.Contains(generalWords, w) {
			return false
		}
	}
	return true
}

// onlyForLocks reports whether the function of an effect is a helper all of whose
// uses in the package have this effect on a lock.
func (c *collector) onlyForLocks(s *Effect) bool {
	fn := s.Fn.Obj
	calls := c.callers[fn]
	if fn.Exported() || len(calls) == 0 || len(c.uses[fn]) != len(calls) {
		return false
	}
	for _, call := range calls {
		found := false
		for _, f := range c.funcs {
			for _, e := range f.Effects {
				if e.Call == call && e.Step == s && e.lock != nil {
					found = true
				}
			}
		}
		if !found {
			return false
		}
	}
	return true
}

// excluded reports whether the key is declared to be no lock.
func (c *collector) excluded(k keyexpr.Key) bool {
	lit := k.Literals()
	for _, p := range c.cfg.NotLock {
		if strings.HasPrefix(lit, p) {
			return true
		}
	}
	return false
}

// generated or test files are not reported on; their effects are not evidence.
func (c *collector) ignored(f *Func) bool {
	if f.Decl == nil {
		return false
	}
	name := filepath.Base(c.pass.Fset.Position(f.Decl.Pos()).Filename)
	return !c.cfg.Tests && strings.HasSuffix(name, "_test.go")
}
