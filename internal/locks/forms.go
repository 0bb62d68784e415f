package locks

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/locklint/locklint/internal/defs"
	"github.com/locklint/locklint/internal/keyexpr"
	"github.com/locklint/locklint/internal/rediscmd"
)

// What the rewrites ask of a lock.

// Defs tells where the variables of the package get their values.
func (r *Result) Defs() *defs.Index { return r.c.defs }

// Fold returns what is known of a value in a function, as of a key.
func (r *Result) Fold(e ast.Expr, f *Func) keyexpr.Key { return r.c.fold.Fold(e, f.Scope) }

// ScriptText returns the text of the script that a command runs, where it is known.
func (r *Result) ScriptText(cmd *rediscmd.Command) (string, bool) { return r.c.text(cmd.Text, 0) }

// TTLSupplied reports whether the expiry of a call is one of its arguments.
func (e *Effect) TTLSupplied() bool { return e.ttlFromCaller }

// ValueSupplied reports whether the value of a call is one of its arguments.
func (e *Effect) ValueSupplied() bool { return e.valueFromCaller }

// Owner returns what the answer of a GET is compared with, where that is one
// expression and no mere constant; nil otherwise.
func (r *Result) Owner(read *Effect) ast.Expr {
	res := r.c.results(read.Fn, read, read.Call)
	var owner ast.Expr
	ok := true
	ast.Inspect(read.Fn.Decl, func(n ast.Node) bool {
		b, is := n.(*ast.BinaryExpr)
		if !is || b.Op != token.EQL && b.Op != token.NEQ {
			return true
		}
		for _, s := range [][2]ast.Expr{{b.X, b.Y}, {b.Y, b.X}} {
			if c := res.class(s[0], 0, 0); c != statusResult && c != numResult {
				continue
			}
			if tv := r.c.info.Types[s[1]]; tv.IsNil() || tv.Value != nil {
				continue
			}
			ok = ok && owner == nil
			owner = s[1]
		}
		return true
	})
	if !ok {
		return nil
	}
	return owner
}

// OwnerNamed reports whether a name is one of a token or an owner.
func OwnerNamed(name string) bool {
	return ownerNamed(name) || has(name, []string{"value", "val", "id", "lockid", "rand", "random", "secret", "client"})
}

// LockNamed reports whether a name has one of the words that name a lock.
func (r *Result) LockNamed(name string) bool { return r.c.lockNamed(name) }

// Calls lists the calls of a function of this package; all is false if it is also
// used in another way.
func (r *Result) Calls(fn *types.Func) (calls []*ast.CallExpr, all bool) {
	calls = r.c.callers[fn]
	return calls, len(calls) == len(r.c.uses[fn])
}
