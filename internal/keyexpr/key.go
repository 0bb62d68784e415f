// Package keyexpr decides whether two expressions are the same Redis key.
//
// An expression is folded to a Key: literal text and holes. A hole is a value that
// is only known at run time; it has an identity within its function and a shape
// that can be compared across functions.
package keyexpr

import (
	"go/types"
	"slices"
	"strings"
)

// A Hole is a part of a key that is known at run time only.
type Hole struct {
	// Ident is the identity within one function: equal strings, equal values.
	Ident string
	// Shape is what is comparable across functions: a path from the receiver, a
	// package variable, a call of a helper. Empty for anything else.
	Shape string
	// Var is the variable at the root of the value, nil if there is none.
	Var *types.Var
	// Param is the index of the parameter the hole is, with the path below it
	// (".id"); -1 if it is none. The receiver is parameter Recv.
	Param int
	Path  string
	// Elem is the slice variable whose element the hole is.
	Elem *types.Var
	// Call is set where the hole is the result of a call that is not seen through.
	Call *Call
	// Text is how to show it.
	Text string
}

// A Call is a call that gives a part of a key.
type Call struct {
	Func string // full name
	Name string
	Recv Key // nothing known for a plain function
	Args []Key
}

// Hole returns the hole that the result of the call is: the same function with
// the same arguments gives the same value.
func (c *Call) Hole() *Hole {
	ident, shape, text := c.Func, "call:"+c.Func, c.Name
	if c.Recv.Known() {
		ident = identOf(c.Recv) + "." + ident
		shape += "|" + shapeOf(c.Recv)
		text = c.Recv.text() + "." + text
	}
	ident, shape, text = ident+"(", shape+"(", text+"("
	for i, a := range c.Args {
		if i > 0 {
			ident, shape, text = ident+",", shape+",", text+", "
		}
		ident, shape, text = ident+identOf(a), shape+shapeOf(a), text+a.text()
	}
	return &Hole{Ident: ident + ")", Shape: shape + ")", Param: NoParam, Text: short(text + ")"), Call: c}
}

// NoParam and Recv are special values of Hole.Param.
const (
	NoParam = -1
	Recv    = -2
)

// A Part is literal text or a hole.
type Part struct {
	Lit  string
	Hole *Hole
}

// A Key is a folded key expression.
type Key struct {
	Parts []Part
	// Names are the constants, helpers and fields the key is built from: a name
	// such as lockPrefix says something about the key.
	Names []string
}

// String shows a key: literal text with holes in braces.
func (k Key) String() string {
	var b strings.Builder
	for _, p := range k.Parts {
		if p.Hole == nil {
			b.WriteString(p.Lit)
			continue
		}
		b.WriteString("{" + p.Hole.Text + "}")
	}
	return b.String()
}

// Literals returns the literal text of the key, holes left out as "\x00".
func (k Key) Literals() string {
	var b strings.Builder
	for _, p := range k.Parts {
		if p.Hole != nil {
			b.WriteByte(0)
			continue
		}
		b.WriteString(p.Lit)
	}
	return b.String()
}

// Known reports whether anything is known of the key.
func (k Key) Known() bool { return len(k.Parts) > 0 }

// Bare reports whether the key is one hole and nothing else.
func (k Key) Bare() bool { return len(k.Parts) == 1 && k.Parts[0].Hole != nil }

// Param returns the parameter the whole key is, NoParam if it is none.
func (k Key) Param() int {
	if k.Bare() && k.Parts[0].Hole.Path == "" {
		return k.Parts[0].Hole.Param
	}
	return NoParam
}

// called adds names to a key. Keys share their names with those they were made of, so
// the old ones are not written over.
func (k Key) called(names ...string) Key {
	k.Names = append(slices.Clip(k.Names), names...)
	return k
}

// Holes returns the holes in order.
func (k Key) Holes() []*Hole {
	var hs []*Hole
	for _, p := range k.Parts {
		if p.Hole != nil {
			hs = append(hs, p.Hole)
		}
	}
	return hs
}

// Portable reports whether the key means the same outside its function: its holes
// are parameters, the receiver, package variables, or calls with such arguments.
func (k Key) Portable() bool {
	for _, h := range k.Holes() {
		switch {
		case h.Call != nil:
			if h.Call.Recv.Known() && !h.Call.Recv.Portable() {
				return false
			}
			for _, a := range h.Call.Args {
				if !a.Portable() {
					return false
				}
			}
		case h.Param == NoParam && !h.Global():
			return false
		}
	}
	return k.Known()
}

// UsesParam reports whether a parameter, other than the receiver, is part of the
// key.
func (k Key) UsesParam() bool {
	for _, h := range k.Holes() {
		if h.Param >= 0 {
			return true
		}
		if h.Call != nil {
			for _, a := range h.Call.Args {
				if a.UsesParam() {
					return true
				}
			}
		}
	}
	return false
}

// Lit returns a key of literal text.
func Lit(s string) Key {
	if s == "" {
		return Key{}
	}
	return Key{Parts: []Part{{Lit: s}}}
}

// Of returns a key of one hole.
func Of(h *Hole) Key { return Key{Parts: []Part{{Hole: h}}} }

// Join appends keys, merging literal text that meets.
func Join(keys ...Key) Key {
	var out Key
	for _, k := range keys {
		for _, p := range k.Parts {
			if n := len(out.Parts); p.Hole == nil && n > 0 && out.Parts[n-1].Hole == nil {
				out.Parts[n-1].Lit += p.Lit
				continue
			}
			out.Parts = append(out.Parts, p)
		}
		out.Names = append(out.Names, k.Names...)
	}
	return out
}

// field is the hole for a field path below a value. A field of a named type is the same
// field in every function.
func (h *Hole) field(path string) *Hole {
	if h.Shape == "" && h.Path == "" && h.Var != nil {
		n := *h
		n.Shape = recvShape(h.Var)
		h = &n
	}
	return h.below(path, path, path)
}

// below is the hole for a part of a value, as its identity, its shape and its text say.
func (h *Hole) below(ident, shape, text string) *Hole {
	n := *h
	n.Ident += ident
	n.Path += ident
	n.Text += text
	if n.Shape != "" {
		n.Shape += shape
	}
	return &n
}

// Global reports whether the hole means the same in every function: a package
// variable.
func (h *Hole) Global() bool { return strings.HasPrefix(h.Shape, "pkg:") }
