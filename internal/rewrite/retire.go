package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/locklint/locklint/internal/locks"
)

// retire removes the variable or constant that nothing names any more: a local, or
// one of the package that is declared by itself.
func (d *draft) retire(fn *ast.FuncDecl, obj types.Object) {
	if obj == nil || obj.Pkg() == nil {
		return
	}
	if obj.Parent() != obj.Pkg().Scope() {
		switch obj := obj.(type) {
		case *types.Var:
			d.abandon(fn, obj)
		case *types.Const:
			d.abandonConst(fn, obj)
		}
		return
	}
	if obj.Exported() || d.stillNamed(obj) || d.elsewhere(obj.Pos(), obj.Name()) {
		return
	}
	for _, decl := range d.file(obj.Pos()).Decls {
		g, ok := decl.(*ast.GenDecl)
		if !ok || g.Tok != token.VAR && g.Tok != token.CONST || len(g.Specs) != 1 || obj.Pos() < g.Pos() || g.End() <= obj.Pos() {
			continue
		}
		spec := g.Specs[0].(*ast.ValueSpec)
		if len(spec.Names) != 1 || len(spec.Values) != 1 || d.sourceAt(obj.Pos()) != d.source || !d.unmade(spec.Values[0]) {
			return
		}
		d.cutDecl(g)
	}
}

// abandonConst removes a constant of a function that nothing names any more, where it
// is declared by itself.
func (d *draft) abandonConst(fn *ast.FuncDecl, c *types.Const) {
	if d.stillNamed(c) {
		return
	}
	ast.Inspect(fn, func(n ast.Node) bool {
		st, ok := n.(*ast.DeclStmt)
		if !ok {
			return true
		}
		g := st.Decl.(*ast.GenDecl)
		if len(g.Specs) == 1 && g.Pos() <= c.Pos() && c.Pos() < g.End() && d.sourceAt(c.Pos()) == d.source {
			if spec, ok := g.Specs[0].(*ast.ValueSpec); ok && len(spec.Names) == 1 {
				d.cutDecl(g)
			}
		}
		return true
	})
}

// cutDecl removes a declaration with its comment, unless that is an order to a tool:
// such as one to generate or embed.
func (d *draft) cutDecl(g *ast.GenDecl) {
	from := g.Pos()
	if g.Doc != nil {
		if slices.ContainsFunc(g.Doc.List, func(c *ast.Comment) bool { return isOrder(c.Text) }) {
			return
		}
		from = g.Doc.Pos()
	}
	d.cutWhole(from, g.End())
}

// cutWhole removes lines with what a comment behind them orders a tool: it is about
// them, and would be about others.
func (d *draft) cutWhole(from, to token.Pos) {
	line := d.pass.Fset.Position(to).Line
	for _, group := range d.file(to).Comments {
		if c := group.List[0]; c.Pos() >= to && d.pass.Fset.Position(c.Pos()).Line == line && isOrder(c.Text) {
			to = c.End()
			break
		}
	}
	d.cutStmt(span{from, to})
}

var order = regexp.MustCompile(`^//[a-z0-9]+:[a-z0-9]|^//(nolint|export|extern|line)\b|^/\*line `)

// isOrder reports whether a comment is one for a tool.
func isOrder(text string) bool { return order.MatchString(text) }

// outlived removes what a value was before it became a token, where it is a local.
func (d *draft) outlived(fn *ast.FuncDecl, e ast.Expr) {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return
	}
	if obj := d.info.Uses[id]; obj != nil && obj.Pkg() != nil && obj.Parent() != obj.Pkg().Scope() {
		d.retire(fn, obj)
	}
}

const madeByMore = "the value is made by a call that may do more than that"

// spare reports whether the value that a create is given may be replaced by a token.
func (d *draft) spare(cr *locks.Member) bool {
	return cr.Value.Kind == locks.ValueFresh || d.idle(cr.Value.Expr)
}

// stillNamed reports whether anything that the plan leaves names an object.
func (d *draft) stillNamed(obj types.Object) bool {
	for _, f := range d.pass.Files {
		for _, id := range d.uses(f, obj) {
			if !slices.ContainsFunc(d.edits, func(e edit) bool { return e.pos <= id.Pos() && id.End() <= e.end }) {
				return true
			}
		}
	}
	return false
}

// unmade reports whether a package does without evaluating an expression: it is
// constant, or makes a script of one.
func (d *draft) unmade(e ast.Expr) bool {
	if d.info.Types[e].Value != nil {
		return true
	}
	made, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || !d.idle(made) {
		return false
	}
	fn, _ := typeutil.Callee(d.info, made).(*types.Func)
	return fn != nil && fn.Pkg() != nil && isLibrary(fn.Pkg().Path()) && fn.Name() == "NewScript"
}

// Pos and End make a span a node.
func (s span) Pos() token.Pos { return s.pos }
func (s span) End() token.Pos { return s.end }

var _ ast.Node = span{}
