package lua

import (
	"hash/fnv"
	"strconv"
	"strings"

	"github.com/yuin/gopher-lua/ast"
)

// op is the form of a symbolic value.
type op uint8

const (
	opUnknown op = iota
	opNil
	opTrue
	opFalse
	opNum
	opStr
	opSym     // the variable of a loop
	opKeys    // KEYS[args[0]]
	opArgv    // ARGV[args[0]]
	opConcat  // args joined
	opApp     // a pure function or operator over args
	opEq      // args[0] == args[1]
	opRel     // args[0] text args[1], text one of < > <= >=
	opNot     // not args[0]
	opStored  // what a key holds; false where it holds nothing
	opFlag    // 1 or 0: created, exists, member
	opStatus  // reply of SET NX: a status, or false where the key was there
	opData    // other result of a command
	opMulti   // table of stored values (MGET, HMGET)
	opTable   // a table of the script
	opFunc    // a function of the script
	opBuiltin // a function of Lua or Redis
	opSpread  // unpack(KEYS)
)

// leaf tells what a value is made of.
type leaf uint8

const (
	leafOutside leaf = 1 << iota // KEYS, ARGV
	leafStored                   // data from Redis
	leafUnknown                  // anything
)

// value is immutable. Two values with equal canon are equal on one path.
type value struct {
	op    op
	text  string
	num   float64
	args  []*value
	canon string
	leaf  leaf

	// For results of commands.
	epoch string
	keys  []*value
	field *value
	own   bool // the script itself stored it

	fn    *closure
	table int
}

type closure struct {
	fn    *ast.FunctionExpr
	scope *scope
	self  bool // defined as t:f
}

var (
	vNil   = &value{op: opNil, canon: "nil"}
	vTrue  = &value{op: opTrue, canon: "true"}
	vFalse = &value{op: opFalse, canon: "false"}
	// vKEYS and vARGV are the two tables themselves.
	vKEYS = &value{op: opBuiltin, text: "KEYS", canon: "KEYS", leaf: leafOutside}
	vARGV = &value{op: opBuiltin, text: "ARGV", canon: "ARGV", leaf: leafOutside}
	// vEvery is the index that stands for all of KEYS.
	vEvery = &value{op: opSym, text: "*", canon: "*", leaf: leafOutside}
)

func str(s string) *value {
	v := &value{op: opStr, text: s}
	if len(s) > maxCanon/4 {
		v.canon = strconv.Quote(clip(s))
	} else {
		v.canon = strconv.Quote(s)
	}
	return v
}

func num(f float64) *value {
	s := strconv.FormatFloat(f, 'g', 14, 64)
	return &value{op: opNum, num: f, text: s, canon: s}
}

func boolean(b bool) *value {
	if b {
		return vTrue
	}
	return vFalse
}

func builtin(name string) *value {
	return &value{op: opBuiltin, text: name, canon: name}
}

func unknown(id string) *value {
	return &value{op: opUnknown, canon: "?" + id, leaf: leafUnknown}
}

func sym(name string) *value {
	return &value{op: opSym, text: name, canon: name, leaf: leafOutside}
}

// element is table[index] for KEYS and ARGV.
func element(o op, index *value) *value {
	if index.leaf&(leafStored|leafUnknown) != 0 || index.op == opStr || index.op == opNum && index.num < 1 {
		return unknown("index " + clip(index.canon))
	}
	name := "KEYS["
	if o == opArgv {
		name = "ARGV["
	}
	return sized(&value{op: o, args: []*value{index}, canon: name + index.canon + "]", leaf: leafOutside})
}

// compound builds a value over args; its leaves are theirs.
func compound(o op, text string, args ...*value) *value {
	v := &value{op: o, text: text, args: args}
	for _, a := range args {
		v.leaf |= a.leaf
	}
	names := canons(args)
	switch {
	case o == opConcat:
		v.canon = strings.Join(names, "..")
	case text == "[]":
		v.canon = names[0] + "[" + names[1] + "]"
	case len(args) == 2 && !isName(text):
		v.canon = "(" + names[0] + text + names[1] + ")"
	default:
		v.canon = text + "(" + strings.Join(names, ",") + ")"
	}
	return sized(v)
}

func canons(vs []*value) []string {
	out := make([]string, len(vs))
	for i, v := range vs {
		out[i] = v.canon
	}
	return out
}

func isName(s string) bool {
	return s != "" && (s[0] >= 'a' && s[0] <= 'z' || s[0] >= 'A' && s[0] <= 'Z')
}

func app(name string, args ...*value) *value { return compound(opApp, name, args...) }

// sized replaces a value whose normal form has grown too long.
func sized(v *value) *value {
	if len(v.canon) > maxCanon {
		return &value{op: opUnknown, canon: "?" + clip(v.canon), leaf: leafUnknown}
	}
	return v
}

// clip shortens a normal form and keeps it distinct.
func clip(s string) string {
	if len(s) <= 60 {
		return s
	}
	h := fnv.New64a()
	h.Write([]byte(s))
	return s[:40] + "#" + strconv.FormatUint(h.Sum64(), 36)
}

// concat joins, folding constants.
func concat(a, b *value) *value {
	var parts []*value
	add := func(v *value) {
		if v.op == opNum {
			v = str(v.text)
		}
		if n := len(parts); v.op == opStr && n > 0 && parts[n-1].op == opStr {
			parts[n-1] = str(parts[n-1].text + v.text)
			return
		}
		if v.op != opStr || v.text != "" {
			parts = append(parts, v)
		}
	}
	for _, v := range []*value{a, b} {
		if v.op == opConcat {
			for _, p := range v.args {
				add(p)
			}
			continue
		}
		add(bareString(v))
	}
	switch len(parts) {
	case 0:
		return str("")
	case 1:
		return sized(parts[0])
	}
	return compound(opConcat, "", parts...)
}

// bareString takes off tostring, which changes no key.
func bareString(v *value) *value {
	for v.op == opApp && v.text == "tostring" && len(v.args) == 1 {
		v = v.args[0]
	}
	return v
}

// bareNumber takes off tostring and tonumber.
func bareNumber(v *value) *value {
	for v.op == opApp && (v.text == "tostring" || v.text == "tonumber") && len(v.args) > 0 {
		v = v.args[0]
	}
	return v
}

// outside reports whether v is made of KEYS, ARGV and constants alone.
func (v *value) outside() bool {
	return v.leaf&(leafStored|leafUnknown) == 0 && !v.missing()
}

// missing reports whether v is nil, false or true: no value that names an owner.
func (v *value) missing() bool {
	return v.op == opNil || v.op == opFalse || v.op == opTrue
}

func (v *value) constant() bool { return v.op == opStr || v.op == opNum }

// ref names v for the caller of Parse.
func (v *value) ref() Ref {
	v = bareNumber(v)
	switch {
	case v.op == opStr || v.op == opNum:
		return Ref{Kind: Const, Text: v.text}
	case v.op == opKeys || v.op == opArgv:
		r := Ref{Kind: Keys, Text: v.canon}
		if v.op == opArgv {
			r.Kind = Argv
		}
		if i := v.args[0]; i.op == opNum && i.num >= 1 && i.num == float64(int(i.num)) {
			r.Index = int(i.num)
		}
		return r
	case v.outside() && v.leaf&leafOutside != 0 && (v.op == opConcat || v.op == opApp):
		return Ref{Kind: Derived, Text: v.canon}
	}
	return Ref{}
}
