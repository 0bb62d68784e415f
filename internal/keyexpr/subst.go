package keyexpr

import "strings"

// Subst replaces the parameter holes of a key by the keys of arguments. ok is
// false if an argument is not known.
func Subst(k Key, recv Key, arg func(i int) Key) (out Key, ok bool) {
	out.Names = k.Names
	for _, p := range k.Parts {
		h := p.Hole
		switch {
		case h == nil:
		case h.Call != nil:
			c, ok := h.Call.subst(recv, arg)
			if !ok {
				return Key{}, false
			}
			p.Hole = c.Hole()
		case h.Param != NoParam:
			a := recv
			if h.Param != Recv {
				a = arg(h.Param)
			}
			a, ok := a.field(h.Path)
			if !ok {
				return Key{}, false
			}
			a.Names = nil
			out = Join(out, a)
			continue
		}
		out = Join(out, Key{Parts: []Part{p}})
	}
	return out, true
}

func (c *Call) subst(recv Key, arg func(i int) Key) (*Call, bool) {
	out := *c
	out.Args = nil
	for _, a := range c.Args {
		s, ok := Subst(a, recv, arg)
		if !ok {
			return nil, false
		}
		out.Args = append(out.Args, s)
	}
	if c.Recv.Known() {
		r, ok := Subst(c.Recv, recv, arg)
		if !ok {
			return nil, false
		}
		out.Recv = r
	}
	return &out, true
}

// field returns the field path below a value.
func (k Key) field(path string) (Key, bool) {
	if !k.Known() {
		return Key{}, false
	}
	if rest, ok := strings.CutSuffix(path, stringPath); ok {
		k, ok = k.field(rest)
		return k.asString(), ok
	}
	if path == "" {
		return k, true
	}
	if !k.Bare() {
		return Key{}, false
	}
	return Of(k.Parts[0].Hole.field(path)), true
}

// stringPath is the path from a value to what its String method answers.
const stringPath = ".String()"

// asString is what the String method of a value answers: not what its number is.
func (k Key) asString() Key {
	if !k.Known() {
		return Key{}
	}
	h := &Hole{Ident: identOf(k), Shape: "const:" + identOf(k), Param: NoParam, Text: k.text()}
	if k.Bare() {
		c := *k.Parts[0].Hole
		h = &c
	} else if len(k.Holes()) > 0 {
		h.Shape = ""
	}
	if strings.HasSuffix(h.Ident, stringPath) {
		return k
	}
	h.Ident += stringPath
	h.Path += stringPath
	h.Elem = nil
	if h.Shape != "" {
		h.Shape += stringPath
	}
	// The text is left as it is: {id} reads better than {id.String()}.
	out := Of(h)
	out.Names = k.Names
	return out
}
