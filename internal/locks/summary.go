package locks

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/locklint/locklint/internal/keyexpr"
	"github.com/locklint/locklint/internal/rediscmd"
)

// maxSteps bounds how many calls an effect is carried through.
const maxSteps = 5

// summarise carries the effects of functions to the calls of them until nothing
// changes. Only effects on a key that the callee's parameters, its receiver or
// constants make up are carried.
func (c *collector) summarise() {
	type call struct {
		f    *Func
		body ast.Node
		call *ast.CallExpr
		fn   *types.Func
	}
	// Where a call stands, for all calls of functions that may matter.
	var calls []call
	for _, f := range c.funcs {
		for _, x := range f.calls {
			fn, ok := typeutil.Callee(c.info, x).(*types.Func)
			if !ok {
				continue
			}
			calls = append(calls, call{f, c.bodyAt(f, x), x, fn.Origin()})
		}
	}
	// Imported summaries, configured functions and shapes first: once.
	for _, k := range calls {
		if c.decls[k.fn] == nil {
			k.f.Effects = append(k.f.Effects, c.importedEffects(k.f, k.body, k.call, k.fn)...)
		}
	}
	type seen struct {
		call *ast.CallExpr
		step *Effect
	}
	done := map[seen]bool{}
	for changed := true; changed; {
		changed = false
		for _, k := range calls {
			for _, s := range c.effectsOf(k.fn, k.f) {
				if done[seen{k.call, s}] || steps(s) >= maxSteps {
					continue
				}
				done[seen{k.call, s}] = true
				if c.recursive(s, k.f) {
					continue
				}
				if es := c.carry(s, k.f, k.body, k.call); len(es) > 0 {
					k.f.Effects = append(k.f.Effects, es...)
					changed = true
				}
			}
		}
	}
}

// bodyAt returns the innermost function body that a call stands in.
func (c *collector) bodyAt(f *Func, call *ast.CallExpr) ast.Node {
	var best ast.Node = f.Decl
	for lit := range f.litOf {
		if lit.Body.Pos() <= call.Pos() && call.End() <= lit.Body.End() {
			if b, ok := best.(*ast.FuncLit); !ok || b.Pos() < lit.Pos() {
				best = lit
			}
		}
	}
	return best
}

// effectsOf returns the effects of a function of this package: its own, or those
// of the implementations of an interface's method.
func (c *collector) effectsOf(fn *types.Func, caller *Func) []*Effect {
	if callee := c.byObj[fn]; callee != nil {
		if callee == caller {
			return nil
		}
		return callee.Effects
	}
	if !isInterfaceMethod(fn) {
		return nil
	}
	var out []*Effect
	impls, _ := c.implementations(fn)
	for _, impl := range impls {
		if callee := c.byObj[impl]; callee != nil && callee != caller {
			out = append(out, callee.Effects...)
		}
	}
	return out
}

// steps counts the calls an effect was carried through.
func steps(e *Effect) int {
	n := e.farSteps
	for ; e.Step != nil; e = e.Step {
		n++
		if e.Step != nil {
			n += e.Step.farSteps
		}
	}
	return n
}

// recursive reports whether an effect was already carried through a function.
func (c *collector) recursive(e *Effect, f *Func) bool {
	for ; e != nil; e = e.Step {
		if e.Fn == f {
			return true
		}
	}
	return false
}

// carry makes the effect that a call has because its callee has s. Nil if the key
// cannot be expressed at the call.
func (c *collector) carry(s *Effect, f *Func, body ast.Node, call *ast.CallExpr) []*Effect {
	if s.Kind == Data || s.Kind == Inspect || !s.Key.Portable() {
		return nil
	}
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
		if m := c.info.Selections[sel]; m != nil && m.Kind() == types.MethodExpr {
			return nil // (*Cache).Delete(c, key): its arguments stand elsewhere
		}
	}
	in := c.argsOf(f, call)
	var out []*Effect
	for _, in := range in.each(s.Key) {
		if key, ok := keyexpr.Subst(s.Key, in.recv, in.key); ok && key.Known() {
			out = append(out, c.carried(s, key, in, f, body))
		}
	}
	return out
}

func (c *collector) carried(s *Effect, key keyexpr.Key, in args, f *Func, body ast.Node) *Effect {
	call := in.call
	e := &Effect{
		Kind: s.Kind, Fn: f, Body: body, Call: call, Lit: calleeName(call),
		Key: key, Value: s.Value, TTL: s.TTL, OnlyIf: s.OnlyIf,
		Looped: s.Looped || s.Kind == Expire && c.inLoop(&Effect{Call: in.call}, nil), Weak: s.Weak, Script: s.Script, Losers: s.Losers, Watched: s.Watched,
		Queue: s.Queue, Root: s.Root, Step: s, Far: s.Far, Shape: s.Shape, forced: s.forced,
	}
	if p := s.Key.Param(); p >= 0 {
		e.KeyExpr = in.expr(p)
	}
	if s.Value.Param != keyexpr.NoParam {
		if a := in.expr(s.Value.Param); a != nil {
			e.Value = c.value(a, f)
		} else {
			e.Value = Value{Param: keyexpr.NoParam}
		}
		e.valueFromCaller = true
	}
	if s.TTL.Param != keyexpr.NoParam {
		e.ttlFromCaller = true
		e.TTL = TTL{TTL: rediscmd.TTL{Kind: rediscmd.TTLUnknown}, Param: keyexpr.NoParam}
		if a := in.expr(s.TTL.Param); a != nil {
			e.TTL = c.suppliedTTL(a, s.TTL.Path, f)
		}
	}
	return e
}

// suppliedTTL judges the expiry that a caller passes, as it is or in a field of a
// struct of options.
func (c *collector) suppliedTTL(a ast.Expr, path string, f *Func) TTL {
	if path == "" {
		return c.ttl(c.rec.Duration(a), f)
	}
	unknown := TTL{TTL: rediscmd.TTL{Kind: rediscmd.TTLUnknown}, Param: keyexpr.NoParam}
	v, ok := c.rec.Field(a, strings.TrimPrefix(path, "."))
	switch {
	case !ok:
		return unknown
	case v == nil:
		unknown.Kind = rediscmd.TTLNone // left out of the literal
		return unknown
	}
	return c.ttl(c.rec.Duration(v), f)
}

// args are the arguments of a call, as keys of the calling function.
type args struct {
	c    *collector
	f    *Func
	call *ast.CallExpr
	recv keyexpr.Key
	sig  *types.Signature
	nth  int // which of the variadic arguments is meant
}

// each returns the arguments once for every variadic argument, if the key is made
// of those.
func (a args) each(k keyexpr.Key) []args {
	last := -1
	if a.sig != nil && a.sig.Variadic() && !a.call.Ellipsis.IsValid() {
		last = a.sig.Params().Len() - 1
	}
	uses := last >= 0 && slices.ContainsFunc(k.Holes(), func(h *keyexpr.Hole) bool { return h.Param == last })
	if !uses || len(a.call.Args)-last < 2 {
		return []args{a}
	}
	var out []args
	for i := range len(a.call.Args) - last {
		b := a
		b.nth = i
		out = append(out, b)
	}
	return out
}

func (c *collector) argsOf(f *Func, call *ast.CallExpr) args {
	in := args{c: c, f: f, call: call}
	in.recv = c.fold.Recv(call, f.Scope)
	if fn, ok := typeutil.Callee(c.info, call).(*types.Func); ok {
		in.sig, _ = fn.Type().(*types.Signature)
	}
	return in
}

// expr returns the argument of a parameter, nil if it is not one expression.
func (a args) expr(i int) ast.Expr {
	if i < 0 || i >= len(a.call.Args) {
		return nil
	}
	if a.sig != nil && a.sig.Variadic() && i >= a.sig.Params().Len()-1 {
		if a.call.Ellipsis.IsValid() {
			return a.call.Args[i]
		}
		if i += a.nth; i < len(a.call.Args) {
			return a.call.Args[i]
		}
		return nil
	}
	return a.call.Args[i]
}

func (a args) key(i int) keyexpr.Key {
	e := a.expr(i)
	if e == nil {
		return keyexpr.Key{}
	}
	if elems, ok := a.c.defs.Elems(e); ok && len(elems) == 1 {
		e = elems[0]
	}
	return a.c.fold.Fold(e, a.f.Scope)
}

func calleeName(call *ast.CallExpr) string {
	switch x := ast.Unparen(call.Fun).(type) {
	case *ast.SelectorExpr:
		return x.Sel.Name
	case *ast.Ident:
		return x.Name
	case *ast.IndexExpr:
		return calleeName(&ast.CallExpr{Fun: x.X})
	}
	return "call"
}
