package rediscmd

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/locklint/locklint/internal/defs"
)

// A Recognizer finds commands in the calls of one package.
type Recognizer struct {
	Info *types.Info
	Defs *defs.Index
}

// Command returns the command that a call sends, nil if it sends none that is
// understood.
func (r *Recognizer) Command(call *ast.CallExpr) *Command {
	fn, ok := typeutil.Callee(r.Info, call).(*types.Func)
	if !ok {
		return nil
	}
	sig, ok := fn.Type().(*types.Signature)
	if !ok || sig.Recv() == nil {
		return nil
	}
	lib := funcLibrary(fn)
	if lib == nil {
		lib = narrowed(fn, sig)
	}
	if lib == nil {
		return nil
	}
	c := &Command{Call: call, Lib: lib, Name: fn.Name()}
	args := call.Args
	if lib.Context {
		if len(args) == 0 {
			return nil
		}
		c.Ctx, args = args[0], args[1:]
	}
	if named(sig.Recv().Type()) == "Script" {
		return r.script(c, call, args)
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	if s := r.Info.Selections[sel]; s != nil && s.Kind() == types.MethodExpr {
		return nil // (*redis.Client).SetNX(rdb, ctx, …)
	}
	c.Client = sel.X
	c.Conn = r.conn(sel)
	switch fn.Name() {
	case "Do":
		return r.raw(c, args, call.Ellipsis.IsValid())
	case "Process":
		return r.process(c, args)
	case "Eval", "EvalRO", "EvalSha", "EvalShaRO":
		return r.eval(c, args, call.Ellipsis.IsValid())
	case "SetArgs":
		return r.setArgs(c, args)
	case "DelExArgs":
		return r.delEx(c, args)
	}
	if !returnsCmd(sig) {
		return nil
	}
	m, ok := methods[fn.Name()]
	if !ok {
		return r.data(c, sig, args)
	}
	c.Method = true
	return r.method(c, m, args, call.Ellipsis.IsValid())
}

// narrowed returns the library whose commands a method of somebody's own interface
// answers with: an interface that a client of the library implements.
func narrowed(fn *types.Func, sig *types.Signature) *Library {
	if !types.IsInterface(sig.Recv().Type()) || !returnsCmd(sig) {
		return nil
	}
	n, ok := types.Unalias(deref(sig.Results().At(0).Type())).(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return nil
	}
	lib := LibraryOf(n.Obj().Pkg().Path())
	if lib == nil || lib.Context && (sig.Params().Len() == 0 || !isContext(sig.Params().At(0).Type())) {
		return nil
	}
	return lib
}

func isContext(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Name() == "Context" && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "context"
}

// method reads a typed method by its row of the table.
func (r *Recognizer) method(c *Command, m method, args []ast.Expr, ellipsis bool) *Command {
	arg := func(i int) ast.Expr {
		if i < 0 || i >= len(args) {
			return nil
		}
		return args[i]
	}
	c.Verb, c.Cond, c.OnlyIf, c.Millis = m.verb, m.cond, m.onlyIf, m.millis
	if m.keys {
		if m.key < len(args) {
			c.Keys = args[m.key:]
		}
		c.Spread = ellipsis
	} else if k := arg(m.key); k != nil {
		c.Keys = []ast.Expr{k}
	}
	if len(c.Keys) == 0 {
		return nil
	}
	c.Value, c.Match = arg(m.value), arg(m.match)
	if m.ttl != none {
		c.TTL = r.Duration(arg(m.ttl))
		c.TTL.At = m.at
	}
	return c
}

// data takes any other typed method with a key first for a command on data.
func (r *Recognizer) data(c *Command, sig *types.Signature, args []ast.Expr) *Command {
	i := 0
	if c.Lib.Context {
		i = 1
	}
	if keyless[c.Name] || i >= sig.Params().Len() || len(args) == 0 {
		return nil
	}
	t := sig.Params().At(i).Type()
	if sig.Variadic() && i == sig.Params().Len()-1 {
		t = t.(*types.Slice).Elem()
	}
	if b, ok := t.Underlying().(*types.Basic); !ok || b.Kind() != types.String {
		return nil
	}
	c.Verb, c.Method = Data, true
	c.Keys = args[:1]
	return c
}
