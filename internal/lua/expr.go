package lua

import (
	"strconv"
	"strings"

	"github.com/yuin/gopher-lua/ast"
)

// outcome is one value on one path.
type outcome struct {
	st  *state
	val *value
}

// result is a list of values on one path, as a call or "..." gives.
type result struct {
	st   *state
	vals []*value
	more bool // an unknown number of further values
}

// at gives the i-th value (from 0).
func (r result) at(i int, id string) *value {
	if i < len(r.vals) {
		return r.vals[i]
	}
	if r.more {
		return unknown(id)
	}
	return vNil
}

// list evaluates expressions from left to right; the last gives all its values.
func (in *interp) list(exprs []ast.Expr, sc *scope, st *state) []result {
	rs := []result{{st: st}}
	for i, e := range exprs {
		var next []result
		for _, r := range rs {
			if i == len(exprs)-1 {
				for _, m := range in.multi(e, sc, r.st) {
					next = append(next, result{m.st, append(r.vals[:len(r.vals):len(r.vals)], m.vals...), m.more})
				}
				continue
			}
			for _, o := range in.expr(e, sc, r.st) {
				next = append(next, result{st: o.st, vals: append(r.vals[:len(r.vals):len(r.vals)], o.val)})
			}
		}
		rs = next
	}
	return rs
}

// multi evaluates an expression that may give several values.
func (in *interp) multi(e ast.Expr, sc *scope, st *state) []result {
	switch e := e.(type) {
	case *ast.FuncCallExpr:
		rs := in.call(e, sc, st)
		if e.AdjustRet {
			for i, r := range rs {
				rs[i] = result{st: r.st, vals: []*value{r.at(0, in.here(e))}}
			}
		}
		return rs
	case *ast.Comma3Expr:
		if !e.AdjustRet {
			return []result{{st: st, more: true}}
		}
	}
	var rs []result
	for _, o := range in.expr(e, sc, st) {
		rs = append(rs, result{st: o.st, vals: []*value{o.val}})
	}
	return rs
}

// expr evaluates an expression to one value on every path.
func (in *interp) expr(e ast.Expr, sc *scope, st *state) []outcome {
	in.enter()
	defer in.leave()
	one := func(v *value) []outcome { return []outcome{{st, v}} }
	switch e := e.(type) {
	case nil, *ast.NilExpr:
		return one(vNil)
	case *ast.TrueExpr:
		return one(vTrue)
	case *ast.FalseExpr:
		return one(vFalse)
	case *ast.NumberExpr:
		return one(number(e.Value, in.here(e)))
	case *ast.StringExpr:
		return one(str(e.Value))
	case *ast.IdentExpr:
		return one(in.ident(e, sc, st))
	case *ast.AttrGetExpr:
		return in.binary(e.Object, e.Key, sc, st, func(st *state, t, k *value) *value {
			return in.index(st, t, k, in.here(e))
		})
	case *ast.TableExpr:
		return in.table(e, sc, st)
	case *ast.FunctionExpr:
		in.closures++
		return one(&value{op: opFunc, canon: "function" + in.here(e), fn: &closure{fn: e, scope: sc.snapshot()}})
	case *ast.FuncCallExpr:
		var out []outcome
		for _, r := range in.call(e, sc, st) {
			out = append(out, outcome{r.st, r.at(0, in.here(e))})
		}
		return out
	case *ast.LogicalOpExpr:
		return in.logical(e, sc, st)
	case *ast.RelationalOpExpr:
		return in.binary(e.Lhs, e.Rhs, sc, st, func(_ *state, a, b *value) *value {
			return relation(e.Operator, a, b)
		})
	case *ast.StringConcatOpExpr:
		return in.binary(e.Lhs, e.Rhs, sc, st, func(_ *state, a, b *value) *value { return concat(a, b) })
	case *ast.ArithmeticOpExpr:
		return in.binary(e.Lhs, e.Rhs, sc, st, func(_ *state, a, b *value) *value {
			return arithmetic(e.Operator, a, b)
		})
	case *ast.UnaryMinusOpExpr:
		return in.unary(e.Expr, sc, st, func(_ *state, v *value) *value {
			if v.op == opNum {
				return num(-v.num)
			}
			return app("-", v)
		})
	case *ast.UnaryNotOpExpr:
		return in.unary(e.Expr, sc, st, func(_ *state, v *value) *value { return negate(v) })
	case *ast.UnaryLenOpExpr:
		return in.unary(e.Expr, sc, st, in.length)
	}
	return one(unknown(in.here(e)))
}

func (in *interp) unary(x ast.Expr, sc *scope, st *state, f func(*state, *value) *value) []outcome {
	out := in.expr(x, sc, st)
	for i, o := range out {
		out[i].val = f(o.st, o.val)
	}
	return out
}

func (in *interp) binary(x, y ast.Expr, sc *scope, st *state, f func(st *state, a, b *value) *value) []outcome {
	var out []outcome
	for _, a := range in.expr(x, sc, st) {
		for _, b := range in.expr(y, sc, a.st) {
			out = append(out, outcome{b.st, f(b.st, a.val, b.val)})
		}
	}
	return in.bound(out)
}

// logical follows both sides of "and" and "or": the right side runs only where
// the left side says so, and that is what guards a call in it.
func (in *interp) logical(e *ast.LogicalOpExpr, sc *scope, st *state) []outcome {
	var out []outcome
	for _, a := range in.expr(e.Lhs, sc, st) {
		goOn := e.Operator == "and"
		if t := a.st.assume(a.val, !goOn); t != nil {
			out = append(out, outcome{t, a.val})
		}
		if t := a.st.assume(a.val, goOn); t != nil {
			out = append(out, in.expr(e.Rhs, sc, t)...)
		}
	}
	return in.bound(out)
}

// bound keeps the number of paths inside one expression small.
func (in *interp) bound(out []outcome) []outcome {
	if len(out) <= maxStates {
		return out
	}
	states := make([]*state, len(out))
	for i, o := range out {
		states[i] = o.st
	}
	return []outcome{{join(states), unknown("many")}}
}

func (in *interp) ident(e *ast.IdentExpr, sc *scope, st *state) *value {
	if c, ok := sc.lookup(e.Value); ok {
		if v := st.cells[c]; v != nil {
			return v
		}
		return unknown("cell" + strconv.Itoa(c))
	}
	if c, ok := in.globals[e.Value]; ok {
		if v := st.cells[c]; v != nil {
			return v
		}
	}
	switch e.Value {
	case "KEYS":
		return vKEYS
	case "ARGV":
		return vARGV
	}
	return builtin(e.Value)
}

// number reads a Lua number.
func number(text, id string) *value {
	if f, err := strconv.ParseFloat(text, 64); err == nil {
		return num(f)
	}
	if n, err := strconv.ParseUint(text, 0, 64); err == nil {
		return num(float64(n))
	}
	return unknown(id)
}

func relation(operator string, a, b *value) *value {
	switch operator {
	case "==":
		return equal(a, b)
	case "~=":
		return negate(equal(a, b))
	}
	return compound(opRel, operator, a, b)
}

func negate(v *value) *value {
	switch v.op {
	case opTrue:
		return vFalse
	case opFalse, opNil:
		return vTrue
	case opNot:
		if inner := v.args[0]; inner.op == opEq || inner.op == opRel || inner.op == opNot {
			return inner
		}
	}
	return compound(opNot, "not", v)
}

// equal puts the two sides in one order, so that a == b and b == a are one value.
func equal(a, b *value) *value {
	if a.constant() && b.constant() {
		return boolean(a.op == b.op && a.text == b.text)
	}
	if a.canon == b.canon && a.leaf&leafUnknown == 0 {
		return vTrue
	}
	if a.canon > b.canon {
		a, b = b, a
	}
	return compound(opEq, "==", a, b)
}

func arithmetic(operator string, a, b *value) *value {
	if a.op == opNum && b.op == opNum {
		switch operator {
		case "+":
			return num(a.num + b.num)
		case "-":
			return num(a.num - b.num)
		case "*":
			return num(a.num * b.num)
		case "/":
			return num(a.num / b.num)
		}
	}
	return app(operator, a, b)
}

func (in *interp) length(st *state, v *value) *value {
	switch v.op {
	case opStr:
		return num(float64(len(v.text)))
	case opTable:
		if o := st.heap[v.table]; o != nil && !o.opaque {
			return num(float64(o.n))
		}
		return unknown("#" + v.canon)
	}
	return app("#", v)
}

// index is t[k].
func (in *interp) index(st *state, t, k *value, id string) *value {
	switch t.op {
	case opBuiltin:
		switch t.text {
		case "KEYS":
			return element(opKeys, k)
		case "ARGV":
			return element(opArgv, k)
		}
		if k.op == opStr {
			return builtin(t.text + "." + k.text)
		}
	case opTable:
		o := st.heap[t.table]
		if o == nil || o.opaque || !k.constant() {
			return unknown(id + "@" + strconv.Itoa(st.epoch))
		}
		if v := o.fields[k.canon]; v != nil {
			return v
		}
		return vNil
	case opStatus:
		if k.op == opStr && strings.EqualFold(k.text, "ok") {
			return t
		}
	case opMulti:
		return t.multi(k)
	}
	return app("[]", t, k)
}

// multi is the k-th value of an MGET or HMGET reply.
func (v *value) multi(k *value) *value {
	if len(v.args) == 1 && v.args[0].keys[0].canon == everyKey {
		key := element(opKeys, k)
		if key.op == opKeys {
			s := v.args[0]
			return stored(s.epoch, key, s.field, s.own)
		}
	}
	if i := int(k.num); k.op == opNum && i >= 1 && i <= len(v.args) && float64(i) == k.num {
		return v.args[i-1]
	}
	return app("[]", v, k)
}
