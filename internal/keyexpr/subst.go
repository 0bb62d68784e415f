package keyexpr

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
	if path == "" {
		return k, true
	}
	if !k.Bare() {
		return Key{}, false
	}
	h := *k.Parts[0].Hole
	if h.Shape == "" && h.Path == "" && h.Var != nil {
		h.Shape = recvShape(h.Var)
	}
	h.Ident += path
	h.Text += path
	h.Path += path
	if h.Shape != "" {
		h.Shape += path
	}
	return Of(&h), true
}
