package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// retire removes the variable or constant that nothing names any more: a local, or
// one of the package that is declared by itself.
func (d *draft) retire(fn *ast.FuncDecl, obj types.Object) {
	if obj == nil || obj.Pkg() == nil {
		return
	}
	if obj.Parent() != obj.Pkg().Scope() {
		if v, ok := obj.(*types.Var); ok {
			d.abandon(fn, v)
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
		if len(spec.Names) != 1 || len(spec.Values) != 1 || d.sourceAt(obj.Pos()) != d.source || !d.idle(spec.Values[0]) {
			return
		}
		from := g.Pos()
		if g.Doc != nil {
			from = g.Doc.Pos()
		}
		d.cutStmt(span{from, g.End()})
	}
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

// idle reports whether a package does without evaluating an expression: it is
// constant, or makes a script of one.
func (d *draft) idle(e ast.Expr) bool {
	if d.info.Types[e].Value != nil {
		return true
	}
	made, ok := ast.Unparen(e).(*ast.CallExpr)
	return ok && len(made.Args) == 1 && d.pure(made.Args[0])
}

// Pos and End make a span a node.
func (s span) Pos() token.Pos { return s.pos }
func (s span) End() token.Pos { return s.end }

var _ ast.Node = span{}
