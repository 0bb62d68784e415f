package lua

import (
	"strconv"

	"github.com/yuin/gopher-lua/ast"
)

// flow is how states leave a block: at its end, by break, by return.
type flow struct {
	next []*state
	brk  []*state
	ret  []returned
}

type returned struct {
	st   *state
	vals []*value
}

func (f *flow) leaves(g flow) {
	f.brk = append(f.brk, g.brk...)
	f.ret = append(f.ret, g.ret...)
}

// scoped runs a block in a scope of its own and forgets its variables after,
// so that paths that differ only in them become one.
func (in *interp) scoped(stmts []ast.Stmt, outer *scope, states []*state) flow {
	sc := newScope(outer)
	made := in.closures
	f := in.block(stmts, sc, states)
	if in.closures == made {
		f.next = forget(f.next, sc)
		f.brk = forget(f.brk, sc)
	}
	return f
}

// forget drops the variables of a scope that is over.
func forget(states []*state, sc *scope) []*state {
	if len(sc.names) == 0 {
		return states
	}
	out := make([]*state, len(states))
	for i, s := range states {
		n := s.clone()
		for _, c := range sc.names {
			delete(n.cells, c)
		}
		out[i] = n
	}
	return out
}

func (in *interp) block(stmts []ast.Stmt, sc *scope, states []*state) flow {
	var f flow
	for _, s := range stmts {
		if len(states) == 0 {
			break
		}
		g := in.stmt(s, sc, states)
		f.leaves(g)
		states = in.settle(g.next)
	}
	f.next = states
	return f
}

func (in *interp) stmt(s ast.Stmt, sc *scope, states []*state) flow {
	in.enter()
	defer in.leave()
	switch s := s.(type) {
	case *ast.LocalAssignStmt:
		return in.localAssign(s, sc, states)
	case *ast.AssignStmt:
		return in.assign(s, sc, states)
	case *ast.FuncCallStmt:
		var f flow
		for _, st := range states {
			for _, r := range in.multi(s.Expr, sc, st) {
				f.next = append(f.next, r.st)
			}
		}
		return f
	case *ast.FuncDefStmt:
		return in.funcDef(s, sc, states)
	case *ast.DoBlockStmt:
		return in.scoped(s.Stmts, sc, states)
	case *ast.IfStmt:
		return in.ifStmt(s, sc, states)
	case *ast.ReturnStmt:
		var f flow
		for _, st := range states {
			for _, r := range in.list(s.Exprs, sc, st) {
				f.ret = append(f.ret, returned{r.st, r.vals})
			}
		}
		return f
	case *ast.BreakStmt:
		return flow{brk: states}
	case *ast.WhileStmt:
		return in.while(s, sc, states)
	case *ast.RepeatStmt:
		return in.repeat(s, sc, states)
	case *ast.NumberForStmt:
		return in.numberFor(s, sc, states)
	case *ast.GenericForStmt:
		return in.genericFor(s, sc, states)
	}
	// goto and labels are not Lua 5.1: no path of them is followed.
	panic(giveUp{})
}

func (in *interp) localAssign(s *ast.LocalAssignStmt, sc *scope, states []*state) flow {
	// local function f is a LocalAssignStmt whose function sees its own name.
	inner := sc
	if len(s.Names) == 1 && len(s.Exprs) == 1 {
		if _, ok := s.Exprs[0].(*ast.FunctionExpr); ok {
			in.declare(sc, s.Names[0])
			inner = nil
		}
	}
	var rs []result
	for _, st := range states {
		rs = append(rs, in.list(s.Exprs, sc, st)...)
	}
	cells := make([]int, len(s.Names))
	for i, n := range s.Names {
		if inner == nil {
			cells[i], _ = sc.lookup(n)
			continue
		}
		cells[i] = in.declare(sc, n)
	}
	var f flow
	for _, r := range rs {
		st := r.st.clone()
		for i, c := range cells {
			st.cells[c] = r.at(i, in.here(s)+"."+strconv.Itoa(i))
		}
		f.next = append(f.next, st)
	}
	return f
}

func (in *interp) assign(s *ast.AssignStmt, sc *scope, states []*state) flow {
	var f flow
	for _, st := range states {
		for _, r := range in.list(s.Rhs, sc, st) {
			outs := []*state{r.st}
			for i, lhs := range s.Lhs {
				v := r.at(i, in.here(s)+"."+strconv.Itoa(i))
				var next []*state
				for _, o := range outs {
					next = append(next, in.store(lhs, v, sc, o)...)
				}
				outs = next
			}
			f.next = append(f.next, outs...)
		}
	}
	return f
}

// store assigns to a variable or a table field.
func (in *interp) store(lhs ast.Expr, v *value, sc *scope, st *state) []*state {
	switch lhs := lhs.(type) {
	case *ast.IdentExpr:
		n := st.clone()
		n.cells[in.cell(sc, lhs.Value)] = v
		return []*state{n}
	case *ast.AttrGetExpr:
		var out []*state
		for _, o := range in.expr(lhs.Object, sc, st) {
			for _, k := range in.expr(lhs.Key, sc, o.st) {
				out = append(out, k.st.setField(o.val, k.val, v))
			}
		}
		return out
	}
	in.incomplete()
	return []*state{st}
}

func (in *interp) funcDef(s *ast.FuncDefStmt, sc *scope, states []*state) flow {
	var f flow
	for _, st := range states {
		for _, r := range in.expr(s.Func, sc, st) {
			switch {
			case s.Name.Func != nil:
				f.next = append(f.next, in.store(s.Name.Func, r.val, sc, r.st)...)
			default:
				r.val.fn.self = true
				for _, o := range in.expr(s.Name.Receiver, sc, r.st) {
					f.next = append(f.next, o.st.setField(o.val, str(s.Name.Method), r.val))
				}
			}
		}
	}
	return f
}

func (in *interp) ifStmt(s *ast.IfStmt, sc *scope, states []*state) flow {
	yes, no := in.branch(s.Condition, sc, states)
	f := in.scoped(s.Then, sc, yes)
	g := in.scoped(s.Else, sc, no)
	f.next = append(f.next, g.next...)
	f.leaves(g)
	return f
}

// branch splits states by a condition.
func (in *interp) branch(cond ast.Expr, sc *scope, states []*state) (yes, no []*state) {
	for _, st := range states {
		for _, r := range in.expr(cond, sc, st) {
			if t := r.st.assume(r.val, true); t != nil {
				yes = append(yes, t)
			}
			if t := r.st.assume(r.val, false); t != nil {
				no = append(no, t)
			}
		}
	}
	return in.settle(yes), in.settle(no)
}
