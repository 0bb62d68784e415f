package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/locklint/locklint/internal/locks"
)

// A use is how the answer of a command is asked for and where it goes.
type use struct {
	call   *ast.CallExpr
	method string   // Val, Err, Result, …; "" for the command itself
	sel    ast.Node // the name of the method
	expr   ast.Expr // the command with the method, parentheses left out
	cur    inspector.Cursor
}

// useOf finds how the answer of a call is asked for.
func (p *planner) useOf(call *ast.CallExpr) (use, bool) {
	cur, ok := p.root.FindNode(call)
	if !ok {
		return use{}, false
	}
	u := use{call: call, expr: call, cur: cur}
	if k, _ := cur.ParentEdge(); k == edge.SelectorExpr_X {
		sel := cur.Parent()
		outer := sel.Parent()
		if k, _ := sel.ParentEdge(); k == edge.CallExpr_Fun {
			out := outer.Node().(*ast.CallExpr)
			if len(out.Args) == 0 {
				s := sel.Node().(*ast.SelectorExpr)
				return use{call: call, method: s.Sel.Name, sel: s.Sel, expr: out, cur: outer}, true
			}
		}
		return use{}, false
	}
	return u, true
}

// listed returns the statement around a node that stands in a list of statements.
func listed(cur inspector.Cursor) (inspector.Cursor, bool) {
	for c := range cur.Enclosing() {
		switch k, _ := c.ParentEdge(); k {
		case edge.BlockStmt_List, edge.CaseClause_Body, edge.CommClause_Body:
			return c, true
		}
	}
	return inspector.Cursor{}, false
}

// list returns the statements that a listed one stands among.
func list(c inspector.Cursor) []ast.Stmt {
	switch p := c.Parent().Node().(type) {
	case *ast.BlockStmt:
		return p.List
	case *ast.CaseClause:
		return p.Body
	case *ast.CommClause:
		return p.Body
	}
	return nil
}

// next returns the statement that follows a listed one.
func next(c inspector.Cursor) ast.Stmt {
	l := list(c)
	for i, s := range l {
		if s == c.Node() && i+1 < len(l) {
			return l[i+1]
		}
	}
	return nil
}

// names reports whether an expression is a variable, and which.
func (p *planner) variable(e ast.Expr) *types.Var {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return nil
	}
	v, _ := p.info.ObjectOf(id).(*types.Var)
	return v
}

func blank(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == "_"
}

// uses counts the uses of a variable in a node, those in the ranges left out.
func (p *planner) uses(in ast.Node, v types.Object, except ...ast.Node) []*ast.Ident {
	var out []*ast.Ident
	ast.Inspect(in, func(n ast.Node) bool {
		for _, x := range except {
			if n == x && n != nil {
				return false
			}
		}
		if id, ok := n.(*ast.Ident); ok && p.info.Uses[id] == v {
			out = append(out, id)
		}
		return true
	})
	return out
}

// method reports whether a call's receiver has a method too.
func (p *planner) hasMethod(client ast.Expr, name string) *types.Func {
	t := p.info.TypeOf(client)
	if t == nil {
		return nil
	}
	obj, _, _ := types.LookupFieldOrMethod(t, true, p.pass.Pkg, name)
	fn, _ := obj.(*types.Func)
	return fn
}

// selector returns the selector that names the method of a call.
func selector(call *ast.CallExpr) *ast.SelectorExpr {
	s, _ := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	return s
}

// pure reports whether evaluating an expression calls nothing but conversions,
// built-in functions and errors.Is.
func (p *planner) pure(e ast.Node) bool {
	pure := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if !p.harmless(n) {
				pure = false
			}
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				pure = false
			}
		case *ast.FuncLit:
			pure = false
		}
		return pure
	})
	return pure
}

func (p *planner) harmless(call *ast.CallExpr) bool {
	if tv := p.info.Types[call.Fun]; tv.IsType() || tv.IsBuiltin() {
		return true
	}
	sel := selector(call)
	if sel == nil {
		return false
	}
	fn, ok := p.info.Uses[sel.Sel].(*types.Func)
	if !ok {
		return false
	}
	switch fn.FullName() {
	case "errors.Is", "errors.As", "errors.Join", "errors.New", "fmt.Errorf", "fmt.Sprintf":
		return true
	}
	// What a command was answered.
	if fn.Signature().Recv() != nil && fn.Pkg() != nil && isLibrary(fn.Pkg().Path()) {
		switch fn.Name() {
		case "Err", "Val", "Result":
			return len(call.Args) == 0
		}
	}
	return p.logs(call, fn)
}

// logs reports whether a call writes a log.
func (p *planner) logs(call *ast.CallExpr, fn *types.Func) bool {
	path := ""
	if fn.Pkg() != nil {
		path = fn.Pkg().Path()
	}
	last := path[strings.LastIndexByte(path, '/')+1:]
	if strings.Contains(last, "log") || strings.Contains(path, "logrus") || strings.Contains(path, "/zap") || path == "fmt" && strings.HasPrefix(fn.Name(), "Print") {
		return true
	}
	switch strings.TrimSuffix(strings.TrimSuffix(fn.Name(), "f"), "w") {
	case "Debug", "Info", "Warn", "Warning", "Error", "Print", "Println", "Log", "Logln":
		return true
	}
	return false
}

// ends reports whether a list of statements never runs on to what follows.
func (p *planner) ends(body []ast.Stmt) bool {
	if len(body) == 0 {
		return false
	}
	switch s := body[len(body)-1].(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		return true
	case *ast.ExprStmt:
		call, ok := s.X.(*ast.CallExpr)
		if !ok {
			return false
		}
		if id, ok := call.Fun.(*ast.Ident); ok {
			return id.Name == "panic"
		}
		if sel := selector(call); sel != nil {
			switch sel.Sel.Name {
			case "Fatal", "Fatalf", "Fatalln", "Exit", "Panic", "Panicf", "Panicln":
				return true
			}
		}
	}
	return false
}

// function returns the declared function an effect stands in.
func function(e *locks.Effect) *ast.FuncDecl { return e.Fn.Decl }

// called returns the function or method that a call names, nil for a builtin, a func
// value or an instance.
func (p *planner) called(call *ast.CallExpr) *types.Func {
	var id *ast.Ident
	switch f := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		id = f
	case *ast.SelectorExpr:
		id = f.Sel
	default:
		return nil
	}
	fn, ok := p.info.Uses[id].(*types.Func)
	if !ok || fn.Pkg() == nil {
		return nil
	}
	return fn
}
