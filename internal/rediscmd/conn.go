package rediscmd

import (
	"go/ast"
	"go/types"
	"strings"
)

// conn tells from the static type of the receiver how a command travels. For a
// struct that embeds a client it is the type of the embedded one.
func (r *Recognizer) conn(sel *ast.SelectorExpr) Conn {
	t := r.Info.TypeOf(sel.X)
	if s := r.Info.Selections[sel]; s != nil {
		t = s.Recv()
		for _, i := range s.Index()[:max(0, len(s.Index())-1)] {
			t = deref(t)
			if connOf(t) != Direct {
				break
			}
			st, ok := t.Underlying().(*types.Struct)
			if !ok || i >= st.NumFields() || fromLibrary(t) {
				break
			}
			t = st.Field(i).Type()
		}
	}
	return connOf(t)
}

func connOf(t types.Type) Conn {
	if p, ok := types.Unalias(t).(*types.TypeParam); ok {
		t = p.Constraint()
	}
	if !fromLibrary(t) {
		return Direct
	}
	switch named(t) {
	case "Pipeliner", "Pipeline":
		return Queued
	case "Tx":
		return Tx
	}
	return Direct
}

func fromLibrary(t types.Type) bool {
	n, ok := types.Unalias(deref(t)).(*types.Named)
	return ok && n.Obj().Pkg() != nil && LibraryOf(n.Obj().Pkg().Path()) != nil
}

func deref(t types.Type) types.Type {
	if t == nil {
		return types.Typ[types.Invalid]
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

// named returns the name of a named type, through a pointer.
func named(t types.Type) string {
	if n, ok := types.Unalias(deref(t)).(*types.Named); ok {
		return n.Obj().Name()
	}
	return ""
}

// returnsCmd reports whether a method answers with a command: *BoolCmd, *Cmd, ….
func returnsCmd(sig *types.Signature) bool {
	if sig.Results().Len() != 1 {
		return false
	}
	return strings.HasSuffix(named(sig.Results().At(0).Type()), "Cmd")
}
