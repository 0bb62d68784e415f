package lua

import (
	"strconv"
	"strings"

	"github.com/yuin/gopher-lua/ast"
)

func (in *interp) while(s *ast.WhileStmt, sc *scope, states []*state) flow {
	var no []*state
	turn := func(states []*state) flow {
		var yes []*state
		yes, no = in.branch(s.Condition, sc, states)
		return in.scoped(s.Stmts, sc, yes)
	}
	f := turn(in.stable(states, turn))
	out := flow{next: no, ret: f.ret}
	_, after := in.branch(s.Condition, sc, f.next)
	out.next = append(append(out.next, after...), f.brk...)
	return out
}

func (in *interp) repeat(s *ast.RepeatStmt, sc *scope, states []*state) flow {
	// The condition of repeat sees the variables of the body.
	turn := func(states []*state) flow {
		return in.block(s.Stmts, newScope(sc), states)
	}
	states = in.stable(states, turn)
	inner := newScope(sc)
	f := in.block(s.Stmts, inner, states)
	done, _ := in.branch(s.Condition, inner, f.next)
	return flow{next: append(done, f.brk...), ret: f.ret}
}

func (in *interp) numberFor(s *ast.NumberForStmt, sc *scope, states []*state) flow {
	var out flow
	for _, st := range states {
		bounds := []ast.Expr{s.Init, s.Limit}
		if s.Step != nil {
			bounds = append(bounds, s.Step)
		}
		for _, r := range in.list(bounds, sc, st) {
			from, to, step := r.at(0, ""), r.at(1, ""), num(1)
			if s.Step != nil {
				step = r.at(2, "")
			}
			f := in.turns(s, s.Name, from, to, step, s.Stmts, sc, r.st)
			out.next = append(out.next, f.next...)
			out.leaves(f)
		}
	}
	return out
}

// turns runs a loop over numbers: turn by turn where they are few and known.
func (in *interp) turns(node any, name string, from, to, step *value, body []ast.Stmt, sc *scope, st *state) flow {
	if from.op == opNum && to.op == opNum && step.op == opNum && step.num != 0 {
		if n := (to.num-from.num)/step.num + 1; n <= maxUnroll {
			var vals []*value
			for i := 0; float64(i)+1 <= n; i++ {
				vals = append(vals, num(from.num+float64(i)*step.num))
			}
			return in.unroll(vals, func(v *value, st *state) flow {
				return in.turn([]string{name}, []*value{v}, body, sc, []*state{st})
			}, st)
		}
	}
	all := from.op == opNum && from.num == 1 && to.canon == app("#", vKEYS).canon && step.op == opNum && step.num == 1
	i := sym(name + "'" + in.here(node))
	if from.leaf&(leafStored|leafUnknown) != 0 || step.leaf&(leafStored|leafUnknown) != 0 {
		i = unknown(i.canon)
	}
	return in.anyTurn(i, all, st, func(states []*state) flow {
		return in.turn([]string{name}, []*value{i}, body, sc, states)
	})
}

// unroll runs a body once for each value.
func (in *interp) unroll(vals []*value, body func(*value, *state) flow, st *state) flow {
	var out flow
	states := []*state{st}
	for n, v := range vals {
		var next []*state
		in.within(strconv.Itoa(n), func() {
			for _, s := range states {
				f := body(v, s)
				next = append(next, f.next...)
				out.next = append(out.next, f.brk...)
				out.ret = append(out.ret, f.ret...)
			}
		})
		states = in.settle(next)
	}
	out.next = append(out.next, states...)
	return out
}

// turn runs a loop body with the loop variables set.
func (in *interp) turn(names []string, vals []*value, body []ast.Stmt, sc *scope, states []*state) flow {
	inner := newScope(sc)
	var next []*state
	for _, n := range names {
		in.declare(inner, n)
	}
	for _, s := range states {
		s = s.clone()
		for i, n := range names {
			if i < len(vals) {
				s.cells[inner.names[n]] = vals[i]
			}
		}
		next = append(next, s)
	}
	made := in.closures
	f := in.scoped(body, inner, next)
	if in.closures == made {
		f.next, f.brk = forget(f.next, inner), forget(f.brk, inner)
	}
	return f
}

// anyTurn runs a body whose turns are not counted. all says that the loop goes
// over all of KEYS, of which there is at least one: what every turn that goes on
// knows of its own key is then known of all keys.
func (in *interp) anyTurn(i *value, all bool, st *state, body func([]*state) flow) flow {
	states := in.stable([]*state{st}, body)
	raised := in.raised
	f := body(states)
	out := flow{ret: f.ret}
	if all {
		out.next = everyTurn(f.next, "KEYS["+i.canon+"]")
	} else {
		if len(f.ret)+len(f.brk) > 0 || in.raised > raised {
			// A loop that can end the script may be the check; that it has
			// no turn at all is then no way around it.
			for n, s := range states {
				s = s.clone()
				s.atoms["turns"] = fact{kind: factUnclear, truth: true}
				states[n] = s
			}
		}
		out.next = append(append(out.next, states...), f.next...)
	}
	out.next = append(out.next, f.brk...)
	return out
}

// everyTurn renames the key of one turn to all keys where all the states that
// go on agree; else what they know is no longer clear.
func everyTurn(states []*state, key string) []*state {
	agree := len(states) > 0
	common := map[string]fact{}
	if agree {
		for id, f := range states[0].atoms {
			if len(f.keys) == 1 && f.keys[0] == key {
				common[id] = f
			}
		}
	}
	for _, s := range states {
		for id, f := range s.atoms {
			if len(f.keys) == 1 && f.keys[0] == key {
				if c, ok := common[id]; !ok || c.truth != f.truth {
					agree = false
				}
			}
		}
		for id := range common {
			if _, ok := s.atoms[id]; !ok {
				agree = false
			}
		}
	}
	out := make([]*state, len(states))
	for i, s := range states {
		n := s.clone()
		for id, f := range s.atoms {
			if len(f.keys) != 1 || f.keys[0] != key {
				continue
			}
			delete(n.atoms, id)
			if agree {
				f.keys = []string{everyKey}
				n.atoms[strings.ReplaceAll(id, key, everyKey)] = f
			} else {
				n.atoms["turns"] = fact{kind: factUnclear, truth: true}
			}
		}
		for c, m := range n.made {
			if m.key == key {
				m.key = everyKey
				n.made[c] = m
			}
		}
		if n.written[key] {
			n.written[everyKey] = true
		}
		out[i] = n
	}
	return out
}

func (in *interp) genericFor(s *ast.GenericForStmt, sc *scope, states []*state) flow {
	var out flow
	for _, st := range states {
		for _, r := range in.iterator(s.Exprs, sc, st) {
			f := in.iterate(s, r, sc)
			out.next = append(out.next, f.next...)
			out.leaves(f)
		}
	}
	return out
}

// iterated is what a for loop goes over; list is nil unless it is ipairs or
// pairs of one value.
type iterated struct {
	st   *state
	list *value
}

// iterator evaluates what stands after in.
func (in *interp) iterator(exprs []ast.Expr, sc *scope, st *state) []iterated {
	var out []iterated
	if len(exprs) == 1 {
		if c, ok := exprs[0].(*ast.FuncCallExpr); ok && c.Func != nil && len(c.Args) == 1 {
			if id, ok := c.Func.(*ast.IdentExpr); ok && (id.Value == "ipairs" || id.Value == "pairs") {
				for _, o := range in.expr(c.Args[0], sc, st) {
					out = append(out, iterated{o.st, o.val})
				}
				return out
			}
		}
	}
	for _, r := range in.list(exprs, sc, st) {
		out = append(out, iterated{st: r.st})
	}
	return out
}

// iterate runs a loop over a list: turn by turn where its elements are known.
func (in *interp) iterate(s *ast.GenericForStmt, it iterated, sc *scope) flow {
	if it.list != nil && it.list.op == opTable {
		if o := it.st.heap[it.list.table]; o != nil && !o.opaque && o.n == len(o.fields) && o.n <= maxUnroll {
			var vals []*value
			for i := range o.n {
				vals = append(vals, num(float64(i+1)))
			}
			return in.unroll(vals, func(v *value, st *state) flow {
				return in.turn(s.Names, []*value{v, o.fields[v.canon]}, s.Stmts, sc, []*state{st})
			}, it.st)
		}
	}
	i := sym(s.Names[0] + "'" + in.here(s))
	all := false
	var vals []*value
	switch {
	case it.list == vKEYS:
		all = true
		vals = []*value{i, element(opKeys, i)}
	case it.list == vARGV:
		vals = []*value{i, element(opArgv, i)}
	case it.list != nil && it.list.op == opMulti && len(it.list.args) == 1 && it.list.args[0].keys[0].canon == everyKey:
		all = true
		vals = []*value{i, it.list.multi(i)}
	default:
		src := unknown(i.canon)
		if it.list != nil {
			src = app("each", it.list, i)
		}
		vals = []*value{unknown(i.canon), src}
	}
	for len(vals) < len(s.Names) {
		vals = append(vals, unknown(i.canon+"+"))
	}
	return in.anyTurn(i, all, it.st, func(states []*state) flow {
		return in.turn(s.Names, vals[:len(s.Names)], s.Stmts, sc, states)
	})
}
