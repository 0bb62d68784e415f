package locks

import (
	"go/ast"
	"go/types"

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
			callee := c.byObj[k.fn]
			if callee == nil || callee == k.f {
				continue
			}
			for _, s := range callee.Effects {
				if done[seen{k.call, s}] || steps(s) >= maxSteps {
					continue
				}
				done[seen{k.call, s}] = true
				if c.recursive(s, k.f) {
					continue
				}
				if e := c.carry(s, k.f, k.body, k.call); e != nil {
					k.f.Effects = append(k.f.Effects, e)
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

func steps(e *Effect) int {
	n := 0
	for ; e.Step != nil; e = e.Step {
		n++
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
func (c *collector) carry(s *Effect, f *Func, body ast.Node, call *ast.CallExpr) *Effect {
	switch s.Kind {
	case Data:
		return nil
	case Read:
		return nil
	}
	if !s.Key.Portable() {
		return nil
	}
	in := c.argsOf(f, call)
	key, ok := keyexpr.Subst(s.Key, in.recv, in.key)
	if !ok || !key.Known() {
		return nil
	}
	e := &Effect{
		Kind: s.Kind, Fn: f, Body: body, Call: call, Lit: calleeName(call),
		Key: key, Value: s.Value, TTL: s.TTL, OnlyIf: s.OnlyIf,
		Weak: s.Weak, Script: s.Script, Losers: s.Losers, Watched: s.Watched,
		Queue: s.Queue, Root: s.Root, Step: s, Far: s.Far,
	}
	if p := s.Key.Param(); p >= 0 {
		e.KeyExpr = in.expr(p)
		e.keyFromCaller = true
	} else {
		e.keyFromCaller = s.Key.UsesParam()
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
			e.TTL = c.ttl(c.rec.Duration(a), f)
		}
	}
	return e
}

// args are the arguments of a call, as keys of the calling function.
type args struct {
	c    *collector
	f    *Func
	call *ast.CallExpr
	recv keyexpr.Key
	sig  *types.Signature
}

func (c *collector) argsOf(f *Func, call *ast.CallExpr) args {
	in := args{c: c, f: f, call: call}
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && c.info.Selections[sel] != nil {
		in.recv = c.fold.Fold(sel.X, f.Scope)
	}
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
		if len(a.call.Args) == a.sig.Params().Len() && !a.call.Ellipsis.IsValid() {
			return a.call.Args[i]
		}
		return nil
	}
	return a.call.Args[i]
}

func (a args) key(i int) keyexpr.Key {
	if e := a.expr(i); e != nil {
		return a.c.fold.Fold(e, a.f.Scope)
	}
	return keyexpr.Key{}
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
