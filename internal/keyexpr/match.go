package keyexpr

import (
	"go/types"
	"strings"
	"unicode"
)

// Same reports whether two keys of one function are the same key. sameElem says
// whether two slices are filled from one another; it may be nil.
func Same(a, b Key, sameElem func(x, y *types.Var) bool) bool {
	if len(a.Parts) == 0 || len(a.Parts) != len(b.Parts) {
		return false
	}
	for i, p := range a.Parts {
		q := b.Parts[i]
		if p.Lit != q.Lit || (p.Hole == nil) != (q.Hole == nil) {
			return false
		}
		if p.Hole == nil || p.Hole.Ident == q.Hole.Ident {
			continue
		}
		if p.Hole.Elem == nil || q.Hole.Elem == nil || sameElem == nil || !sameElem(p.Hole.Elem, q.Hole.Elem) {
			return false
		}
	}
	return true
}

// SameTemplate reports whether two keys of different functions are the same key
// as far as their text tells: the same literal text with holes in the same places,
// and holes of known shape agreeing. A key that has nothing but nameless holes
// matches nothing.
func SameTemplate(a, b Key) bool {
	same, anchored := sameShape(a, b)
	return same && anchored
}

// SameShape is SameTemplate for keys that something else ties together: their text
// need not tell much ("o:" + id).
func SameShape(a, b Key) bool {
	same, _ := sameShape(a, b)
	return same
}

func sameShape(a, b Key) (same, anchored bool) {
	if len(a.Parts) == 0 || len(a.Parts) != len(b.Parts) {
		return false, false
	}
	for i, p := range a.Parts {
		q := b.Parts[i]
		if p.Lit != q.Lit || (p.Hole == nil) != (q.Hole == nil) {
			return false, false
		}
		if p.Hole == nil {
			anchored = anchored || Telling(p.Lit)
			continue
		}
		ps, qs := p.Hole.Shape, q.Hole.Shape
		switch {
		case ps == "" && qs == "":
		case ps == qs:
			anchored = true
		case strings.HasPrefix(ps, "pkg:") || strings.HasPrefix(qs, "pkg:"):
			// A package variable against something else: another prefix.
			return false, false
		case ps != "" && qs != "":
			return false, false
		}
	}
	return true, anchored
}

// Telling reports whether literal text identifies a key: at least two letters.
func Telling(s string) bool {
	n := 0
	for _, r := range s {
		if unicode.IsLetter(r) {
			n++
			if n >= 2 || r > unicode.MaxLatin1 {
				return true
			}
		}
	}
	return false
}
