package locks

import (
	"go/ast"
	"go/types"

	"github.com/locklint/locklint/internal/keyexpr"
	"github.com/locklint/locklint/internal/rediscmd"
)

// settingEffect returns the effect of a call of a function that the settings name and
// that nothing is known of: it acquires its key, or frees it and looks whose it is. The
// key is the first string parameter. Nil for any other call.
func (c *collector) settingEffect(f *Func, body ast.Node, call *ast.CallExpr, fn *types.Func) *Effect {
	e := &Effect{Fn: f, Body: body, Call: call, Lit: fn.Name(), named: true}
	switch {
	case configured(fn, c.cfg.Acquire):
		e.Kind = Create
	case configured(fn, c.cfg.Release):
		e.Kind = CheckedFree
	default:
		return nil
	}
	params := fn.Signature().Params()
	for i := range min(params.Len(), len(call.Args)) {
		if b, ok := params.At(i).Type().Underlying().(*types.Basic); ok && b.Info()&types.IsString != 0 {
			e.KeyExpr, e.Key = call.Args[i], c.fold.Fold(call.Args[i], f.Scope)
			break
		}
	}
	if !e.Key.Known() {
		return nil
	}
	e.Root = e
	e.Value = Value{Kind: ValueScript, Param: keyexpr.NoParam}
	e.TTL.Kind, e.TTL.Param = rediscmd.TTLUnknown, keyexpr.NoParam
	return e
}

// bySettings returns the evidence that the settings give.
func (c *collector) bySettings(l *Lock) (Evidence, bool) {
	for _, list := range [][]*Member{l.Creates, l.Checked} {
		for _, m := range list {
			root := m.Effect
			for root.Step != nil {
				root = root.Step
			}
			if root.named && l.Released() && len(l.Creates) > 0 {
				does := "acquires"
				if m.Kind != Create {
					does = "releases"
				}
				return Evidence{OwnerChecked, root.Lit + " " + does + " it, by the settings", m.Pos()}, true
			}
		}
	}
	return Evidence{}, false
}
