package rewrite

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

// inPlace reports whether a literal runs while the code around it does, for what that
// code is at: it is called there, or handed to a function that calls it and has done so
// when it returns. A literal that is kept for later, or runs beside, may acquire for
// many.
func (d *draft) inPlace(lit *ast.FuncLit) bool {
	cur, ok := d.root.FindNode(lit)
	if !ok {
		return false
	}
	if d.runs(cur, 0) {
		return true
	}
	if k, _ := cur.ParentEdge(); k != edge.AssignStmt_Rhs {
		return false
	}
	as := cur.Parent().Node().(*ast.AssignStmt)
	if len(as.Lhs) != 1 || len(as.Rhs) != 1 {
		return false
	}
	v := d.variable(as.Lhs[0])
	if v == nil {
		return false
	}
	for _, id := range d.uses(d.file(lit.Pos()), v) {
		if c, ok := d.root.FindNode(id); !ok || !d.runs(c, 0) {
			return false
		}
	}
	return true
}

// runs reports whether a func value is called where it stands, or handed to a function
// that has called it when it returns.
func (d *draft) runs(cur inspector.Cursor, depth int) bool {
	k, i := cur.ParentEdge()
	if k != edge.CallExpr_Fun && k != edge.CallExpr_Args {
		return false
	}
	call := cur.Parent()
	if ck, _ := call.ParentEdge(); ck == edge.GoStmt_Call {
		return false
	}
	return k == edge.CallExpr_Fun || d.callsBack(call.Node().(*ast.CallExpr), cur.Node().(ast.Expr), i, depth)
}

// callsBack reports whether the function of a call runs its argument i and nothing
// else with it. Of other packages only those count that are named for it and hand
// the error of the literal on.
func (d *draft) callsBack(call *ast.CallExpr, arg ast.Expr, i, depth int) bool {
	if depth > 3 || call.Ellipsis.IsValid() {
		return false
	}
	fn := d.called(call)
	if fn == nil {
		return false
	}
	fn = fn.Origin()
	sig := fn.Signature()
	if fn.Pkg() != d.pass.Pkg {
		lit, ok := types.Unalias(d.info.TypeOf(arg)).Underlying().(*types.Signature)
		return ok && failing(lit) && failing(sig) && repeats(fn)
	}
	decl := d.declaration(fn)
	if decl == nil || decl.Body == nil || sig.Variadic() && i >= sig.Params().Len()-1 {
		return false
	}
	p := sig.Params().At(i)
	uses := d.uses(decl, p)
	return len(uses) > 0 && !slices.ContainsFunc(uses, func(id *ast.Ident) bool {
		c, ok := d.root.FindNode(id)
		return !ok || d.inLit(decl, id) || !d.runs(c, depth+1)
	})
}

func failing(sig *types.Signature) bool {
	n := sig.Results().Len()
	return n > 0 && isError(sig.Results().At(n-1).Type())
}

// repeats reports whether a function is named for trying again: RetryNotify, or Do of a
// package retry.
func repeats(fn *types.Func) bool {
	named := func(name string) bool {
		name = strings.ToLower(name)
		return strings.Contains(name, "retry") || strings.Contains(name, "backoff")
	}
	if named(fn.Name()) {
		return true
	}
	switch fn.Name() {
	case "Do", "Run", "Call", "Exec", "Constant", "Exponential", "OnError":
		return named(fn.Pkg().Name())
	}
	return false
}

// declaration returns the declaration of a function of the package.
func (p *planner) declaration(fn *types.Func) *ast.FuncDecl {
	f := p.file(fn.Pos())
	if f == nil {
		return nil
	}
	for _, decl := range f.Decls {
		if fd, ok := decl.(*ast.FuncDecl); ok && p.info.Defs[fd.Name] == fn {
			return fd
		}
	}
	return nil
}

// inLit reports whether a node stands in a func literal of a function.
func (d *draft) inLit(fn *ast.FuncDecl, n ast.Node) bool {
	in := false
	ast.Inspect(fn.Body, func(x ast.Node) bool {
		if lit, ok := x.(*ast.FuncLit); ok && lit.Pos() <= n.Pos() && n.Pos() < lit.End() {
			in = true
		}
		return !in
	})
	return in
}
