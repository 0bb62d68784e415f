package locks

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/locklint/locklint/internal/keyexpr"
)

// meets reports whether two functions mean the same key. What is only the shape of
// a command must stand in one type.
func (c *collector) meets(k, o *cluster) bool {
	if (k.shape() || o.shape()) && (k.foreign || o.foreign || k.fn.Recv() == nil || k.fn.Recv() != o.fn.Recv()) {
		return false
	}
	if passesThrough(k) || passesThrough(o) {
		return false // judged where a caller puts the key in
	}
	return keyexpr.SameTemplate(k.key, o.key) || !k.foreign && !o.foreign && c.namedPair(k, o)
}

// passesThrough reports whether a function is a wrapper that is named like its command
// and takes the key from its caller, with no more text to it than a prefix.
func passesThrough(k *cluster) bool {
	return k.key.UsesParam() && !keyexpr.Telling(k.key.Literals()) && general(k.fn.Name())
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

// namedPair ties two functions that take the key as a bare parameter, or put it
// together alike of text that tells too little by itself: methods of
// one type, or functions of one file, named like acquire and release.
func (c *collector) namedPair(a, b *cluster) bool {
	if a.fn == b.fn {
		return false
	}
	if a.key.Bare() || b.key.Bare() {
		if a.key.Param() < 0 || b.key.Param() < 0 {
			return false
		}
	} else if !keyexpr.SameShape(a.key, b.key) {
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
