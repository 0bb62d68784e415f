package locks

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/locklint/locklint/internal/rediscmd"
)

// queue finds out how a queued command is sent: its pipeline is made by
// Pipeline(), TxPipeline() or is the parameter of a Pipelined callback. What is
// queued on the Tx of a Watch is guarded by it.
func (c *collector) queue(e *Effect) {
	switch e.Cmd.Conn {
	case rediscmd.Tx:
		e.InTx, e.Watched = true, true
		return
	case rediscmd.Direct:
		return
	}
	e.Queue = AnyQueue
	v := c.defs.Var(e.Cmd.Client)
	if v == nil {
		return
	}
	e.QueueOf = v
	maker := c.queueMaker(v)
	if maker == nil {
		return
	}
	sel, ok := ast.Unparen(maker.Fun).(*ast.SelectorExpr)
	if !ok {
		return
	}
	e.Watched = isTx(c.info.TypeOf(sel.X))
	switch sel.Sel.Name {
	case "TxPipeline", "TxPipelined":
		e.Queue = Multi
	case "Pipeline", "Pipelined":
		e.Queue = Pipeline
		if e.Watched && e.Cmd.Lib.Major == 6 {
			e.Queue = Multi // in v6 a pipeline of a Tx is a transaction
		}
	}
}

// queueMaker returns the call that made a pipeline: its definition, or the call
// that passes the literal whose parameter it is.
func (c *collector) queueMaker(v *types.Var) *ast.CallExpr {
	if d, ok := c.defs.Single(v); ok && d.Rhs != nil {
		call, _ := ast.Unparen(d.Rhs).(*ast.CallExpr)
		return call
	}
	return c.callbackOf(v)
}

// callbackOf returns the client call whose callback has the parameter v.
func (c *collector) callbackOf(v *types.Var) *ast.CallExpr {
	var found *ast.CallExpr
	for _, f := range c.pass.Files {
		if v.Pos() < f.FileStart || v.Pos() > f.FileEnd {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if n == nil || found != nil || v.Pos() < n.Pos() || v.Pos() >= n.End() {
				return false
			}
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			for _, a := range call.Args {
				if lit, ok := ast.Unparen(a).(*ast.FuncLit); ok && lit.Type.Pos() <= v.Pos() && v.Pos() < lit.Type.End() {
					if fn, ok := typeutil.Callee(c.info, call).(*types.Func); ok && fn.Pkg() != nil && rediscmd.LibraryOf(fn.Pkg().Path()) != nil {
						found = call
					}
				}
			}
			return true
		})
	}
	return found
}

func isTx(t types.Type) bool {
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Name() == "Tx" && n.Obj().Pkg() != nil && rediscmd.LibraryOf(n.Obj().Pkg().Path()) != nil
}
