package lua

import (
	"strconv"
	"strings"
)

// stored is what read gets from a key; field is nil for the whole value.
// Reads between two writes are one value: they share its epoch.
func stored(epoch string, key, field *value, own bool) *value {
	v := &value{op: opStored, epoch: epoch, keys: []*value{key}, field: field, own: own, leaf: leafStored}
	v.canon = "stored(" + key.canon
	if field != nil {
		v.canon += "," + field.canon
	}
	v.canon += ")@" + epoch
	return sized(v)
}

// flag is a reply of 1 or 0: "created", "exists" or "member".
func flag(what, epoch string, keys []*value, field *value) *value {
	v := &value{op: opFlag, text: what, epoch: epoch, keys: keys, field: field, leaf: leafStored}
	v.canon = what + "(" + strings.Join(keyNames(keys), ",")
	if field != nil {
		v.canon += "," + field.canon
	}
	v.canon += ")@" + epoch
	return sized(v)
}

// keyNames are the normal forms of keys.
func keyNames(vs []*value) []string {
	out := make([]string, len(vs))
	for i, v := range vs {
		out[i] = bareString(v).canon
	}
	return out
}

// assume returns the state in which v is true (or not), nil if it cannot be.
func (s *state) assume(v *value, want bool) *state {
	switch v.op {
	case opNil, opFalse:
		return s.iff(!want)
	case opTrue, opNum, opStr, opTable, opFunc, opFlag, opMulti, opConcat:
		return s.iff(want) // the number 0 is true
	case opBuiltin:
		if v == vKEYS || v == vARGV {
			return s.iff(want)
		}
	case opNot:
		return s.assume(v.args[0], !want)
	case opEq:
		return s.assumeEqual(v, want)
	case opRel:
		return s.assumeRelation(v, want)
	case opStatus:
		return s.know("created:"+v.text, fact{kind: factCreated, keys: keyNames(v.keys), truth: want})
	case opStored:
		return s.assumeThere(v, want)
	case opApp:
		if (v.text == "tonumber" || v.text == "cjson.decode") && len(v.args) > 0 {
			return s.assume(v.args[0], want)
		}
		if v.text == "tostring" {
			return s.iff(want)
		}
	}
	return s.know("true:"+v.canon, fact{kind: plain(v), truth: want})
}

// iff is the state itself where b holds, and no state where it does not.
func (s *state) iff(b bool) *state {
	if b {
		return s
	}
	return nil
}

// plain is the kind of a condition of no special form.
func plain(v *value) factKind {
	if v.leaf&(leafStored|leafUnknown) != 0 {
		return factUnclear
	}
	return factOutside
}

// assumeThere: a stored value is there or not. A field named by ARGV is an owner.
func (s *state) assumeThere(v *value, want bool) *state {
	if v.own {
		return s.know("true:"+v.canon, fact{kind: factUnclear, truth: want})
	}
	if v.field != nil && v.field.outside() && !v.field.constant() {
		return s.know("owner:"+v.canon, fact{kind: factOwner, keys: keyNames(v.keys), against: v.field, truth: want})
	}
	if !want {
		for id, f := range s.atoms {
			if f.kind == factOwner && f.truth && strings.HasPrefix(id, "equal:"+v.canon+"=") {
				return nil
			}
		}
	}
	return s.know("there:"+v.canon, fact{kind: factExists, keys: keyNames(v.keys), truth: want})
}

// assumeFlag: a 1-or-0 reply is 1 or 0.
func (s *state) assumeFlag(v *value, one bool) *state {
	f := fact{keys: keyNames(v.keys), truth: one}
	switch v.text {
	case "created":
		f.kind = factCreated
	case "member":
		f.kind = factOwner
		f.against = v.field
	case "exists":
		f.kind = factExists
	}
	id := createdID(v)
	if len(v.keys) == 1 && v.text != "created" {
		// EXISTS and GET, HEXISTS and HGET say the same thing.
		read := stored(v.epoch, v.keys[0], v.field, false)
		id = "there:" + read.canon
		if f.kind == factOwner {
			id = "owner:" + read.canon
		}
	}
	return s.know(id, f)
}

// createdID names the success of the create whose reply v is.
func createdID(v *value) string {
	return "created:" + strings.Join(keyNames(v.keys), ",") + "@" + v.epoch
}

// assumeFits solves a condition on a flag, given as what it says of a number.
func (s *state) assumeFits(v *value, fits func(float64) bool, want bool) *state {
	zero, one := fits(0), fits(1)
	if zero == one {
		return s.iff(one == want)
	}
	return s.assumeFlag(v, one == want)
}

// constNumber reads a number, also from a string: scripts compare replies with
// "1" and mean 1.
func constNumber(v *value) (float64, bool) {
	v = bareNumber(v)
	switch v.op {
	case opNum:
		return v.num, true
	case opStr:
		f, err := strconv.ParseFloat(v.text, 64)
		return f, err == nil
	}
	return 0, false
}

// assumeRelation: a < b and its kin.
func (s *state) assumeRelation(v *value, want bool) *state {
	a, b := bareNumber(v.args[0]), bareNumber(v.args[1])
	compare := func(x, y float64) bool {
		switch v.text {
		case "<":
			return x < y
		case ">":
			return x > y
		case "<=":
			return x <= y
		}
		return x >= y
	}
	x, okx := constNumber(a)
	y, oky := constNumber(b)
	switch {
	case okx && oky:
		return s.iff(compare(x, y) == want)
	case a.op == opFlag && oky:
		return s.assumeFits(a, func(f float64) bool { return compare(f, y) }, want)
	case b.op == opFlag && okx:
		return s.assumeFits(b, func(f float64) bool { return compare(x, f) }, want)
	}
	return s.know("rel:"+v.canon, fact{kind: plain(v), truth: want})
}

// assumeEqual: a == b.
func (s *state) assumeEqual(v *value, want bool) *state {
	a, b := v.args[0], v.args[1]
	if a.missing() || b.missing() {
		if b.missing() {
			a, b = b, a
		}
		return s.assumeMissing(a, b, v, want)
	}
	for range 2 {
		if t, ok := s.assumeSide(a, b, v, want); ok {
			return t
		}
		a, b = b, a
	}
	return s.know("eq:"+v.canon, fact{kind: plain(v), truth: want})
}

// assumeMissing: x == nil, false or true. Redis gives false for a missing value
// and scripts write nil just as often; both mean missing here.
func (s *state) assumeMissing(m, x, v *value, want bool) *state {
	if x.missing() {
		return s.iff((m.op == x.op) == want)
	}
	switch bareNumber(x).op {
	case opFlag, opNum, opStr:
		return s.iff(!want)
	}
	if m.op == opTrue {
		switch x.op {
		case opEq, opRel, opNot:
			return s.assume(x, want)
		}
		return s.know("eq:"+v.canon, fact{kind: plain(v), truth: want})
	}
	return s.assume(x, !want)
}

// assumeSide reads an equality whose left side it knows how to read.
func (s *state) assumeSide(a, b, whole *value, want bool) (*state, bool) {
	x := bareNumber(a)
	switch x.op {
	case opFlag:
		if n, ok := constNumber(b); ok {
			return s.assumeFits(x, func(f float64) bool { return f == n }, want), true
		}
	case opStatus:
		if b.op == opStr && strings.EqualFold(b.text, "ok") {
			return s.assume(x, want), true
		}
	case opApp:
		if x.text == "type" && b.op == opStr && len(x.args) == 1 {
			return s.assumeType(x.args[0], b.text, want)
		}
	}
	return s.assumeOwner(a, b, want)
}

// assumeType: type(x) == name, where the type says that a value is missing.
func (s *state) assumeType(x *value, name string, want bool) (*state, bool) {
	switch {
	case x.op == opStored && (name == "boolean" || name == "nil"):
		return s.assumeThere(x, !want), true
	case x.op == opStored && name == "string":
		return s.assumeThere(x, want), true
	case x.op == opStatus && name == "boolean":
		return s.assume(x, !want), true
	case x.op == opStatus && name == "table":
		return s.assume(x, want), true
	}
	return nil, false
}

// assumeOwner reads a compare of a stored value, or of a part of it, with a
// value from outside.
func (s *state) assumeOwner(a, b *value, want bool) (*state, bool) {
	src, whole := origin(a)
	if src == nil || src.own || !b.outside() {
		return nil, false
	}
	// A number says how often or how many, not who; part of a value that is a
	// constant says what kind.
	outer := bareNumber(b)
	if outer.op == opNum || outer.op == opStr && (!whole || isNumber(a)) {
		return nil, false
	}
	if there := s.atoms["there:"+src.canon]; there.kind == factExists && !there.truth && want {
		return nil, true // the value is missing, hence not equal
	}
	return s.know("equal:"+src.canon+"="+a.canon+"="+outer.canon, fact{
		kind:     factOwner,
		keys:     keyNames(src.keys),
		against:  b,
		mismatch: whole && plainText(a) && isNumber(a) != isNumber(b),
		truth:    want,
	}), true
}

// origin finds the one stored value that v is, or is a part of. whole is true
// where v is all of it, or a named field of its decoded form.
func origin(v *value) (src *value, whole bool) {
	whole = true
	for {
		switch {
		case v.op == opStored:
			return v, whole
		case v.op != opApp || len(v.args) == 0:
			return nil, false
		}
		switch v.text {
		case "tonumber", "tostring", "cjson.decode", "cmsgpack.unpack", "[]", "string.lower", "string.upper":
		case "string.sub", "string.match", "struct.unpack":
			whole = false
		default:
			return nil, false
		}
		next := v.args[0]
		if v.text == "struct.unpack" && len(v.args) > 1 {
			next = v.args[1]
		}
		for _, other := range v.args {
			if other != next && other.leaf&(leafStored|leafUnknown) != 0 {
				return nil, false
			}
		}
		v = next
	}
}

// isNumber reports whether v went through tonumber.
func isNumber(v *value) bool {
	return v.op == opNum || v.op == opApp && v.text == "tonumber"
}

// plainText reports whether v is the stored string or a conversion of it, so
// that its type is known.
func plainText(v *value) bool { return bareNumber(v).op == opStored }
