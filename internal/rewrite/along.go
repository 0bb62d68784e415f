package rewrite

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/locklint/locklint/internal/locks"
)

// along gives the lock a fresh token that travels along a route.
func (d *draft) along(r *route) string {
	for _, s := range r.passed {
		name, why := d.parameter(s.decl, types.Typ[types.String])
		if why == "" {
			why = d.fits(s, s.decl.Pos(), nil)
		}
		if why == "" {
			why = d.hand(s, name)
		}
		if why != "" {
			return why
		}
	}
	for _, s := range r.roots {
		name, why := d.declareToken(s)
		if why == "" {
			why = d.hand(s, name)
		}
		if why != "" {
			return why
		}
	}
	return ""
}

// keptAlong brings a token that is kept where the lock is acquired to what frees and
// renews it in the functions called from there.
func (d *draft) keptAlong() string {
	const travel = "the token has to travel"
	bare := d.bare()
	r := d.route(d.lock.Creates, bare, true)
	if r == nil {
		r = d.route(d.lock.Creates, bare, false)
	}
	if r == nil || len(r.passed) == 0 {
		return travel
	}
	tokens := &keeper{draft: d, route: r, memo: map[*stop]ast.Expr{}}
	var typ *types.Basic
	for _, s := range r.roots {
		e := tokens.of(s)
		if e == nil || !d.comparable(e) {
			return travel
		}
		t, ok := types.Unalias(d.info.TypeOf(e)).(*types.Basic)
		if !ok || typ != nil && t != typ {
			return travel
		}
		typ = t
	}
	for _, s := range r.passed {
		if s.acquires {
			continue // it was given the token
		}
		name, why := d.parameter(s.decl, typ)
		if why == "" {
			why = d.fits(s, s.decl.Pos(), nil)
		}
		if why == "" {
			why = d.hand(s, name)
		}
		if why != "" {
			return why
		}
	}
	for _, s := range r.roots {
		e := tokens.of(s)
		if why := d.keptFits(s, e); why != "" {
			return why
		}
		for _, m := range s.others {
			text, ok := d.carry(e, m.Pos())
			if !ok || d.turns(e, m.Call) {
				return travel
			}
			if why := d.compare(m, text); why != "" {
				return why
			}
		}
		for _, call := range s.calls {
			if slices.Contains(s.acquiring, call) {
				continue
			}
			text, ok := d.carry(e, call.Pos())
			if !ok || d.turns(e, call) {
				return travel
			}
			if !d.argument(call, text) {
				return severalFiles
			}
		}
	}
	for _, m := range bare {
		d.fixed(m)
	}
	return ""
}

// keptFits reports whether a token that a function has is the one for all that the
// function frees.
func (d *draft) keptFits(s *stop, e ast.Expr) string {
	var creates []ast.Node
	first := s.decl.End()
	for _, m := range s.creates {
		creates = append(creates, m.Call)
	}
	for _, call := range s.acquiring {
		creates = append(creates, call)
	}
	for _, n := range creates {
		first = min(first, n.Pos())
	}
	for _, m := range s.others {
		if d.anotherTurn(e, m.Call, creates) {
			return othersLock
		}
	}
	for _, call := range s.calls {
		if !slices.Contains(creates, ast.Node(call)) && d.anotherTurn(e, call, creates) {
			return othersLock
		}
		if call.Pos() < first && !slices.Contains(creates, ast.Node(call)) && d.atOnce(call) {
			return othersLock
		}
	}
	return d.fits(s, first, creates)
}

// A keeper knows the expression that holds the token in a function that acquires.
type keeper struct {
	*draft
	route *route
	memo  map[*stop]ast.Expr
}

// of returns the one expression, a variable or a field, that is stored by all that
// acquires in a function; nil if there is none.
func (k *keeper) of(s *stop) ast.Expr {
	if e, ok := k.memo[s]; ok {
		return e
	}
	k.memo[s] = nil // of a function that calls itself
	var all []ast.Expr
	for _, cr := range s.creates {
		e := cr.Value.Expr
		if e == nil || cr.Value.Kind != locks.ValueKept || k.partOfKey(cr, e) || k.sharedField(cr, e) || !k.settled(e, cr) {
			return nil
		}
		all = append(all, e)
	}
	for _, call := range s.acquiring {
		callee := k.callee(k.route.passed, call)
		if callee == nil {
			return nil
		}
		p := k.variable(orNone(k.of(callee)))
		if p == nil || !k.res.Defs().Fixed(p) {
			return nil
		}
		i := slices.Index(parameters(k.object(callee.decl)), p)
		if i < 0 || i >= len(call.Args) {
			return nil
		}
		all = append(all, call.Args[i])
	}
	if len(all) == 0 {
		return nil
	}
	for _, e := range all {
		if !isName(e) || types.ExprString(e) != types.ExprString(all[0]) || k.variable(e) != k.variable(all[0]) {
			return nil
		}
	}
	k.memo[s] = all[0]
	return all[0]
}

// parameters lists the variables of the parameters of a function.
func parameters(fn *types.Func) []*types.Var {
	var out []*types.Var
	for v := range fn.Signature().Params().Variables() {
		out = append(out, v)
	}
	return out
}
