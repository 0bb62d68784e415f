package locks

import (
	"go/ast"
	"go/types"

	"github.com/locklint/locklint/internal/keyexpr"
)

// importedKey returns the key that a function of another package builds.
func (c *collector) importedKey(fn *types.Func) (keyexpr.Key, bool) {
	return keyexpr.Key{}, false
}

// importedEffects returns the effects of a call of another package's function.
func (c *collector) importedEffects(f *Func, body ast.Node, call *ast.CallExpr, fn *types.Func) []*Effect {
	return nil
}
