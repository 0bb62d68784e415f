package keyexpr

import (
	"fmt"
	"go/types"
	"strings"
)

// varID identifies a variable within the package.
func varID(v *types.Var) string { return fmt.Sprintf("%s#%d", v.Name(), v.Pos()) }

// recvShape identifies the receiver of all methods of one type.
func recvShape(v *types.Var) string {
	t := v.Type()
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		return "recv:" + types.TypeString(n.Origin().Obj().Type(), nil)
	}
	return ""
}

func identOf(k Key) string {
	var b strings.Builder
	for _, p := range k.Parts {
		if p.Hole != nil {
			b.WriteString("{" + p.Hole.Ident + "}")
			continue
		}
		fmt.Fprintf(&b, "%q", p.Lit)
	}
	return b.String()
}

func shapeOf(k Key) string {
	var b strings.Builder
	for _, p := range k.Parts {
		if p.Hole != nil {
			b.WriteString("{" + p.Hole.Shape + "}")
			continue
		}
		fmt.Fprintf(&b, "%q", p.Lit)
	}
	return b.String()
}

// text shows a key inside another one.
func (k Key) text() string {
	if k.Bare() {
		return k.Parts[0].Hole.Text
	}
	if len(k.Holes()) == 0 {
		return fmt.Sprintf("%q", k.String())
	}
	return k.String()
}

func short(s string) string {
	if i := strings.IndexByte(s, '\n'); i >= 0 {
		s = s[:i]
	}
	if len(s) > 60 {
		return s[:57] + "..."
	}
	return s
}
