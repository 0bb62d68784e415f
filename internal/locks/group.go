package locks

import (
	"cmp"
	"go/token"
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
			own[i].key.Names = slices.Concat(own[i].key.Names, e.Key.Names)
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
	for _, g := range out {
		slices.SortStableFunc(g, func(a, b *cluster) int { return c.inSource(first(a), first(b)) })
	}
	slices.SortStableFunc(out, func(a, b []*cluster) int { return c.inSource(first(a[0]), first(b[0])) })
	return out
}

// first returns the first place in the source at which a cluster has an effect; none
// for an imported function.
func first(k *cluster) token.Pos {
	pos := token.NoPos
	for _, e := range k.effects {
		if p := e.Pos(); p.IsValid() && (pos == token.NoPos || p < pos) {
			pos = p
		}
	}
	return pos
}

// inSource orders positions by file and place. Positions themselves do not tell the
// order of files: loaders parse them concurrently.
func (c *collector) inSource(a, b token.Pos) int {
	if a.IsValid() != b.IsValid() {
		return cmp.Compare(b, a) // none last
	}
	p, q := c.pass.Fset.Position(a), c.pass.Fset.Position(b)
	return cmp.Or(strings.Compare(p.Filename, q.Filename), cmp.Compare(p.Offset, q.Offset))
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

// ignored reports whether a function is of a _test.go file that is not looked at: it is
// not reported on, and what it does is no evidence.
func (c *collector) ignored(f *Func) bool {
	if f.Decl == nil {
		return false
	}
	name := filepath.Base(c.pass.Fset.Position(f.Decl.Pos()).Filename)
	return !c.cfg.Tests && strings.HasSuffix(name, "_test.go")
}
