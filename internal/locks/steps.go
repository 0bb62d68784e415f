package locks

import (
	"go/ast"
	"go/types"

	"github.com/locklint/locklint/internal/keyexpr"
	"github.com/locklint/locklint/internal/rediscmd"
)

// The two atomic steps that the runtime package lends to locks made by hand:
// CompareAndDelete(ctx, client, key, token) and CompareAndExpire(…, token, ttl).
var steppers = map[string]Kind{
	"github.com/locklint/locklint/runtime.CompareAndDelete": CheckedFree,
	"github.com/locklint/locklint/runtime.CompareAndExpire": CheckedRenew,
}

// stepEffect returns the effect of a call of one of them, nil for any other call.
func (c *collector) stepEffect(f *Func, body ast.Node, call *ast.CallExpr, fn *types.Func) *Effect {
	kind, ok := steppers[fn.FullName()]
	if !ok || len(call.Args) < 4 {
		return nil
	}
	e := &Effect{
		Kind: kind, Fn: f, Body: body, Call: call, Lit: fn.Name(), KeyExpr: call.Args[2],
		Key: c.fold.Fold(call.Args[2], f.Scope), Value: c.value(call.Args[3], f),
	}
	e.Root = e
	e.TTL.Kind, e.TTL.Param = rediscmd.TTLUnknown, keyexpr.NoParam
	if !e.Key.Known() {
		return nil
	}
	return e
}
