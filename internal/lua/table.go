package lua

import (
	"maps"
	"strconv"

	"github.com/yuin/gopher-lua/ast"
)

// An object is a table of the script. Objects are never changed, only replaced.
type object struct {
	fields map[string]*value
	n      int  // list part, fields "1" to "n"
	opaque bool // something unknown was written
}

// slot is the name of a list element.
func slot(i int) string { return strconv.Itoa(i) }

func (o *object) clone() *object {
	return &object{fields: maps.Clone(o.fields), n: o.n, opaque: o.opaque}
}

func (o *object) push(v *value) {
	o.n++
	o.fields[slot(o.n)] = v
}

// table evaluates a constructor. Its number is that of its place, so that paths
// that only differ in what they did before can become one.
func (in *interp) table(e *ast.TableExpr, sc *scope, st *state) []outcome {
	place := in.here(e)
	id := in.tables[place]
	if id == 0 {
		id = len(in.tables) + 1
		in.tables[place] = id
	}
	v := &value{op: opTable, table: id, canon: "table" + strconv.Itoa(id)}
	type part struct {
		st *state
		o  *object
	}
	parts := []part{{st, &object{fields: map[string]*value{}}}}
	for i, f := range e.Fields {
		var next []part
		for _, p := range parts {
			fs := in.field(f, i == len(e.Fields)-1, sc, p.st)
			for _, r := range fs {
				o := p.o
				if len(fs) > 1 {
					o = o.clone()
				}
				o.add(f.Key != nil, r)
				next = append(next, part{r.st, o})
			}
		}
		parts = next
		if len(parts) > maxStates {
			panic(giveUp{})
		}
	}
	var out []outcome
	for _, p := range parts {
		n := p.st.clone()
		n.heap[id] = p.o
		out = append(out, outcome{n, v})
	}
	return out
}

// field evaluates one field of a constructor: key and value, or values for the
// list. Only the last one gives all its values.
func (in *interp) field(f *ast.Field, last bool, sc *scope, st *state) []result {
	if f.Key != nil {
		return in.list([]ast.Expr{f.Key, f.Value}, sc, st)
	}
	rs := in.multi(f.Value, sc, st)
	if !last {
		for i, r := range rs {
			rs[i] = result{st: r.st, vals: []*value{r.at(0, in.here(f))}}
		}
	}
	return rs
}

func (o *object) add(keyed bool, r result) {
	if keyed {
		if k := r.at(0, ""); k.constant() && len(r.vals) > 1 {
			o.fields[k.canon] = r.vals[1]
		} else {
			o.opaque = true
		}
		return
	}
	o.opaque = o.opaque || r.more
	for _, v := range r.vals {
		o.opaque = o.opaque || v.op == opSpread
		o.push(v)
	}
}

// setField writes a table of the script. A write that cannot be followed makes
// the table, or all tables, opaque.
func (s *state) setField(t, k, v *value) *state {
	mutates(t)
	n := s.clone()
	if t.op != opTable {
		if t.leaf&leafUnknown != 0 {
			for id := range n.heap {
				n.heap[id] = &object{opaque: true}
			}
		}
		return n
	}
	o := n.heap[t.table]
	if o == nil || !k.constant() || o.opaque {
		n.heap[t.table] = &object{opaque: true}
		return n
	}
	p := o.clone()
	p.fields[k.canon] = v
	for p.fields[slot(p.n+1)] != nil {
		p.n++
	}
	n.heap[t.table] = p
	return n
}

// mutates gives up on a script that changes KEYS or ARGV: their numbers no longer
// mean what they say.
func mutates(t *value) {
	if t == vKEYS || t == vARGV {
		panic(giveUp{})
	}
}

func (in *interp) unpack(st *state, args result) []result {
	if len(args.vals) == 1 {
		switch t := args.vals[0]; {
		case t == vKEYS:
			return []result{{st: st, vals: []*value{{op: opSpread, canon: "unpack(KEYS)", leaf: leafOutside}}}}
		case t.op == opMulti && t.args[0].keys[0].canon != everyKey:
			return []result{{st: st, vals: t.args}}
		case t.op == opTable:
			if o := st.heap[t.table]; o != nil && !o.opaque {
				var vals []*value
				for i := range o.n {
					vals = append(vals, o.fields[slot(i+1)])
				}
				return []result{{st: st, vals: vals}}
			}
		}
	}
	return []result{{st: st, more: true}}
}

func (in *interp) insert(args result) *state {
	st := args.st
	if len(args.vals) == 0 || args.vals[0].op != opTable {
		return st
	}
	t := args.vals[0]
	if o := st.heap[t.table]; o != nil && !o.opaque && len(args.vals) == 2 && args.vals[1].op != opSpread {
		return st.setField(t, num(float64(o.n+1)), args.vals[1])
	}
	st = st.clone()
	st.heap[t.table] = &object{opaque: true}
	return st
}
