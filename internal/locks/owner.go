package locks

import (
	"go/ast"
	"go/token"
	"go/types"
)

// races marks the frees and expiries that stand behind a GET of the same key whose
// answer is compared with the caller's value.
func (c *collector) races(l *Lock) {
	for _, list := range [][]*Member{l.Frees, l.Expires} {
		for _, m := range list {
			for _, r := range l.Others {
				if r.Kind == Read && r.Fn == m.Fn && r.Call != nil && r.Pos() < m.Pos() && c.compared(r.Effect) {
					m.raced = r.Effect
				}
			}
		}
	}
}

// Raced returns the GET whose compare the effect stands behind, nil if there is
// none.
func (e *Effect) Raced() *Effect { return e.raced }

// compared reports whether what a GET answers is compared with a value that can be
// an owner's: not with a constant.
func (c *collector) compared(r *Effect) bool {
	res := c.results(r.Fn, r, r.Call)
	found := false
	ast.Inspect(r.Fn.Decl, func(n ast.Node) bool {
		b, ok := n.(*ast.BinaryExpr)
		if !ok || b.Op != token.EQL && b.Op != token.NEQ {
			return !found
		}
		for _, s := range [][2]ast.Expr{{b.X, b.Y}, {b.Y, b.X}} {
			switch res.class(s[0], 0, 0) {
			case statusResult, numResult:
			default:
				continue
			}
			tv := c.info.Types[s[1]]
			if tv.IsNil() || tv.Value != nil {
				continue // a state, or none: no owner
			}
			found = true
		}
		return !found
	})
	return found
}

// comparesOwner reports whether what a GET answers is compared with something
// named after an owner.
func (c *collector) comparesOwner(r *Effect) bool {
	res := c.results(r.Fn, r, r.Call)
	found := false
	ast.Inspect(r.Fn.Decl, func(n ast.Node) bool {
		if b, ok := n.(*ast.BinaryExpr); ok && (b.Op == token.EQL || b.Op == token.NEQ) {
			for _, s := range [][2]ast.Expr{{b.X, b.Y}, {b.Y, b.X}} {
				if res.class(s[0], 0, 0) == statusResult && ownerNamed(types.ExprString(s[1])) {
					found = true
				}
			}
		}
		return !found
	})
	return found
}

var ownerWords = []string{"token", "owner", "holder", "uuid", "identifier", "lockid", "lockvalue", "nonce", "secret", "tok"}

func ownerNamed(s string) bool { return has(s, ownerWords) }

// ownerValue reports whether a create stores a token that names its owner: a sign
// of a lock where the rest is ambiguous.
func (c *collector) ownerValue(e *Effect) bool {
	switch e.Value.Kind {
	case ValueFresh:
		return true
	case ValueKept:
		if ownerNamed(e.Value.Text) {
			return true
		}
		if e.Value.Expr != nil {
			if call, ok := c.defs.Resolve(e.Value.Expr).(*ast.CallExpr); ok {
				return c.callKind(call, 0) == ValueFresh
			}
		}
	}
	return false
}

func (c *collector) anyOwner(held []*Member) bool {
	for _, m := range held {
		if c.ownerValue(m.Effect) {
			return true
		}
	}
	return false
}
