package locks

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/types/typeutil"
)

// supply follows the value of each create that is a field back to the constructor
// parameters that fill it, and to the calls that pass a value for them: a constant
// that reaches a lock through a constructor is the fault of that call.
func (c *collector) supply(all []*Lock) {
	for _, l := range all {
		if !l.Evidence.IsLock() {
			continue
		}
		for _, cr := range l.Creates {
			if cr.Derived() || cr.Value.Kind != ValueKept {
				continue
			}
			for _, p := range c.fillers(cr.Value.Expr) {
				if !slices.Contains(c.supplied[p.fn], p.index) {
					c.supplied[p.fn] = append(c.supplied[p.fn], p.index)
					slices.Sort(c.supplied[p.fn])
				}
				for _, call := range c.callers[p.fn] {
					if p.index < len(call.Args) && !call.Ellipsis.IsValid() {
						cr.Supplies = append(cr.Supplies, c.value(call.Args[p.index], c.funcAt(call)))
					}
				}
			}
		}
	}
}

// A param is a parameter of a function.
type param struct {
	fn    *types.Func
	index int
}

// fillers returns the parameters from which functions of the package fill a field, in
// source order.
func (c *collector) fillers(e ast.Expr) []param {
	sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	s := c.info.Selections[sel]
	if s == nil || s.Kind() != types.FieldVal {
		return nil
	}
	var out []param
	for _, d := range c.defs.Fields(s.Obj().(*types.Var)) {
		if d.Rhs == nil {
			continue
		}
		for _, f := range c.funcs {
			if f.Decl.Pos() <= d.Pos && d.Pos < f.Decl.End() {
				if k := c.fold.Fold(d.Rhs, f.Scope); k.Param() >= 0 && !slices.Contains(out, param{f.Obj, k.Param()}) {
					out = append(out, param{f.Obj, k.Param()})
				}
			}
		}
	}
	return out
}

func (c *collector) funcAt(call *ast.CallExpr) *Func {
	for _, f := range c.funcs {
		if f.Decl.Pos() <= call.Pos() && call.Pos() < f.Decl.End() {
			return f
		}
	}
	return nil
}

// FarSupplies are the calls of constructors of other packages that pass the value
// of a lock.
func (r *Result) FarSupplies() []Value {
	if r.c == nil {
		return nil
	}
	var out []Value
	for _, f := range r.c.funcs {
		for _, call := range f.calls {
			fn, ok := typeutil.Callee(r.c.info, call).(*types.Func)
			if !ok {
				continue
			}
			s, ok := r.c.imported(fn)
			if !ok {
				continue
			}
			for _, i := range s.Supplies {
				if i < len(call.Args) && !call.Ellipsis.IsValid() && !r.c.ignored(f) {
					out = append(out, r.c.value(call.Args[i], f))
				}
			}
		}
	}
	return out
}
