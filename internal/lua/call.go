package lua

import (
	"slices"
	"strings"

	"github.com/yuin/gopher-lua/ast"
)

// call evaluates a call: a Redis command, a function of the script (put in
// here), or a function of Lua.
func (in *interp) call(e *ast.FuncCallExpr, sc *scope, st *state) []result {
	in.enter()
	defer in.leave()
	var out []result
	if e.Method != "" {
		for _, recv := range in.expr(e.Receiver, sc, st) {
			for _, r := range in.list(e.Args, sc, recv.st) {
				out = append(out, in.method(e, recv.val, r)...)
			}
		}
		return in.boundResults(out)
	}
	for _, f := range in.expr(e.Func, sc, st) {
		for _, r := range in.list(e.Args, sc, f.st) {
			out = append(out, in.apply(e, f.val, r)...)
		}
	}
	return in.boundResults(out)
}

// boundResults keeps the number of paths after a call small, as bound does.
func (in *interp) boundResults(rs []result) []result {
	if len(rs) <= maxStates {
		return rs
	}
	states := make([]*state, len(rs))
	for i, r := range rs {
		states[i] = r.st
	}
	return []result{{st: join(states), more: true}}
}

func (in *interp) method(e *ast.FuncCallExpr, recv *value, r result) []result {
	self := result{r.st, append([]*value{recv}, r.vals...), r.more}
	switch recv.op {
	case opTable:
		return in.apply(e, in.index(r.st, recv, str(e.Method), in.here(e)), self)
	case opBuiltin, opUnknown:
		return in.opaque(e, self)
	}
	return in.apply(e, builtin("string."+e.Method), self)
}

func (in *interp) apply(e *ast.FuncCallExpr, f *value, args result) []result {
	switch f.op {
	case opFunc:
		return in.inline(e, f.fn, args)
	case opBuiltin:
		return in.builtin(e, f.text, args)
	}
	return in.opaque(e, args)
}

// opaque is a call that cannot be followed: it may do anything to any table and
// any key.
func (in *interp) opaque(e *ast.FuncCallExpr, args result) []result {
	in.incomplete()
	st := args.st.clone()
	for id := range st.heap {
		st.heap[id] = &object{opaque: true}
	}
	st.epoch++
	// It may have been a check that ends the script.
	st.atoms["opaque"] = fact{kind: factUnclear, truth: true}
	return []result{{st: st, more: true}}
}

// inline runs a function of the script at its call.
func (in *interp) inline(e *ast.FuncCallExpr, c *closure, args result) []result {
	if slices.Contains(in.calls, c.fn) || len(in.calls) >= maxCalls {
		return in.opaque(e, args)
	}
	in.calls = append(in.calls, c.fn)
	defer func() { in.calls = in.calls[:len(in.calls)-1] }()

	sc := newScope(c.scope)
	st := args.st.clone()
	names := c.fn.ParList.Names
	if c.self {
		names = append([]string{"self"}, names...)
	}
	vals := args.vals
	if args.more || len(vals) > 0 && vals[len(vals)-1].op == opSpread {
		// Which parameters the further values reach is not known.
		args.more = true
	}
	for i, n := range names {
		v := args.at(i, in.here(e)+"p"+n)
		if v.op == opSpread {
			v = unknown(in.here(e) + "p" + n)
		}
		st.cells[in.declare(sc, n)] = v
	}
	var f flow
	in.within(in.here(e), func() {
		f = in.block(c.fn.Stmts, sc, []*state{st})
	})
	var out []result
	for _, s := range f.next {
		out = append(out, result{st: s})
	}
	for _, r := range f.ret {
		out = append(out, result{st: r.st, vals: r.vals})
	}
	return out
}

// protected is Lua's pcall: an error raised inside comes back as false.
func (in *interp) protected(e *ast.FuncCallExpr, args result) []result {
	outer := in.caught
	in.caught = &[]*state{}
	rs := in.apply(e, args.vals[0], result{args.st, args.vals[1:], args.more})
	raised := *in.caught
	in.caught = outer
	for i, r := range rs {
		rs[i].vals = append([]*value{vTrue}, r.vals...)
	}
	for _, st := range raised {
		rs = append(rs, result{st: st, vals: []*value{vFalse, unknown("error" + in.here(e))}})
	}
	return rs
}

// raise ends a path by an error, up to the next pcall.
func (in *interp) raise(st *state) {
	in.raised++
	if in.caught != nil {
		*in.caught = append(*in.caught, st)
		return
	}
	in.exit([]*state{st})
}

// pure are the functions whose result depends on their arguments alone.
var pure = map[string]bool{
	"tonumber": true, "tostring": true, "type": true, "cjson.decode": true, "cjson.encode": true,
	"cmsgpack.pack": true, "cmsgpack.unpack": true, "struct.pack": true, "struct.unpack": true,
	"redis.sha1hex": true, "server.sha1hex": true, "rawequal": true, "rawlen": true,
	"table.maxn": true, "table.concat": true,
}

func isPure(name string) bool {
	return pure[name] || strings.HasPrefix(name, "math.") || strings.HasPrefix(name, "bit.") ||
		strings.HasPrefix(name, "string.") && name != "string.gsub" && name != "string.gmatch" && name != "string.dump"
}

// quiet are the functions that touch no key and give nothing of interest.
var quiet = map[string]bool{
	"log": true, "replicate_commands": true, "set_repl": true, "setresp": true, "breakpoint": true, "debug": true,
}

// builtin calls a function of Lua or Redis.
func (in *interp) builtin(e *ast.FuncCallExpr, name string, args result) []result {
	st := args.st
	give := func(vals ...*value) []result { return []result{{st: st, vals: vals}} }
	arg := func(i int) *value { return args.at(i, in.here(e)+"a") }
	if lib, fn, ok := strings.Cut(name, "."); ok && (lib == "redis" || lib == "server") {
		switch {
		case fn == "call" || fn == "pcall":
			return in.command(e, args)
		case fn == "error_reply" || fn == "status_reply":
			return give(app(fn, arg(0)))
		case quiet[fn]:
			return give(vNil)
		}
	}
	switch name {
	case "pcall":
		if len(args.vals) == 0 {
			return give(vFalse)
		}
		return in.protected(e, args)
	case "error":
		in.raise(st)
		return nil
	case "assert":
		if len(args.vals) == 0 {
			in.raise(st)
			return nil
		}
		if no := st.assume(args.vals[0], false); no != nil {
			in.raise(no)
		}
		if yes := st.assume(args.vals[0], true); yes != nil {
			return []result{{yes, args.vals, args.more}}
		}
		return nil
	case "unpack", "table.unpack":
		return in.unpack(st, args)
	case "string.format":
		if v := format(args); v != nil {
			return give(v)
		}
	case "string.gsub":
		if len(args.vals) == 3 && args.vals[2].op == opStr {
			return give(app(name, args.vals...))
		}
	case "table.insert":
		mutates(arg(0))
		return []result{{st: in.insert(args)}}
	case "table.remove", "table.sort", "rawset", "setmetatable":
		mutates(arg(0))
		if t := arg(0); t.op == opTable {
			st = st.clone()
			st.heap[t.table] = &object{opaque: true}
		}
		return give(arg(0), unknown(in.here(e)))
	case "ipairs", "pairs", "next", "rawget", "select":
		return []result{{st: st, more: true}}
	case "table.getn":
		return give(in.length(st, arg(0)))
	case "os.time", "os.clock", "print":
		return give(app(name))
	}
	switch {
	case !isPure(name):
		return in.opaque(e, args)
	case args.more:
		return give(unknown(in.here(e)))
	}
	vals := make([]*value, len(args.vals))
	for i, v := range args.vals {
		vals[i] = deep(v)
	}
	return give(fold(name, vals))
}

// deep makes a table argument depend on what is in it: its own normal form
// would not change when it does.
func deep(v *value) *value {
	if v.op != opTable {
		return v
	}
	return unknown("content " + v.canon)
}

// fold evaluates tostring and tonumber of what is known.
func fold(name string, args []*value) *value {
	if len(args) == 1 {
		v := args[0]
		switch {
		case name == "tostring" && v.constant():
			return str(v.text)
		case name == "tonumber" && v.op == opNum:
			return v
		case name == "tonumber" && v.op == opStr:
			if n := number(v.text, ""); n.op == opNum {
				return n
			}
		case name == "tostring" && v.op == opConcat:
			return v
		}
	}
	return app(name, args...)
}

// format is string.format with no verbs but %s and %d.
func format(args result) *value {
	if len(args.vals) == 0 || args.more || args.vals[0].op != opStr {
		return nil
	}
	text, vals := args.vals[0].text, args.vals[1:]
	out := str("")
	for {
		i := strings.IndexByte(text, '%')
		if i < 0 {
			return concat(out, str(text))
		}
		if i+1 >= len(text) || text[i+1] != 's' && text[i+1] != 'd' || len(vals) == 0 {
			return nil
		}
		out = concat(concat(out, str(text[:i])), vals[0])
		text, vals = text[i+2:], vals[1:]
	}
}
