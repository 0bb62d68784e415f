// Package output turns diagnostics into findings, and findings into text, JSON,
// SARIF, GitHub annotations and checkstyle.
package output

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/ast/astutil"
	"golang.org/x/tools/go/packages"

	"github.com/locklint/locklint/internal/written"
)

// A Finding is one diagnostic, free of the analysis that made it. File names are
// absolute; a zero End means that only the start is known.
type Finding struct {
	Package    string // import path
	PackageID  string // tells a test variant from its package
	Pass, Kind string
	URL        string
	Message    string // without pass and kind
	Pos, End   token.Position
	Func       string // the function around it, as Name or Type.Name; empty outside of one
	Main       bool   // of a main module, so that a fix may be written
	Generated  bool   // in a generated file, which no fix touches
	Related    []Related
	Fixes      []Fix

	types *types.Package
}

// A Related is another place that belongs to a finding.
type Related struct {
	Pos, End token.Position
	Message  string
}

// A Fix is one change, to be made as a whole or not at all.
type Fix struct {
	Message string
	Edits   []Edit
}

// An Edit replaces the bytes of a file from Start to End.
type Edit struct {
	File       string
	Start, End int
	New        string
}

// Rule is the name of what was found: the pass and the kind.
func (f *Finding) Rule() string {
	if f.Kind == "" {
		return f.Pass
	}
	return f.Pass + "/" + f.Kind
}

// Text is the message as go vet prints it.
func (f *Finding) Text() string { return f.Rule() + ": " + f.Message }

// Collect returns the diagnostics of the root actions, in the order of their
// positions.
func Collect(graph *checker.Graph) []Finding {
	var findings []Finding
	for _, act := range graph.Roots {
		if act.Err != nil {
			continue
		}
		for _, d := range act.Diagnostics {
			findings = append(findings, newFinding(act.Package, act.Analyzer.Name, d))
		}
	}
	Sort(findings)
	return slices.CompactFunc(findings, same)
}

// same finds what a package and its test variant both report.
func same(a, b Finding) bool {
	return a.Pass == b.Pass && a.Message == b.Message && a.Pos == b.Pos && a.End == b.End
}

// Sort orders findings by file, position, rule and message.
func Sort(findings []Finding) { slices.SortFunc(findings, compare) }

func compare(a, b Finding) int {
	return cmp.Or(
		strings.Compare(a.Pos.Filename, b.Pos.Filename),
		cmp.Compare(a.Pos.Line, b.Pos.Line),
		cmp.Compare(a.Pos.Column, b.Pos.Column),
		strings.Compare(a.Rule(), b.Rule()),
		strings.Compare(a.Message, b.Message),
		cmp.Compare(a.End.Offset, b.End.Offset),
	)
}

// ImportNames gives the names of the packages, by path, that the finding's
// package reaches: what an import without a name of its own declares.
func (f *Finding) ImportNames() map[string]string {
	names := map[string]string{}
	var visit func(p *types.Package)
	visit = func(p *types.Package) {
		if _, ok := names[p.Path()]; ok {
			return
		}
		names[p.Path()] = p.Name()
		for _, imp := range p.Imports() {
			visit(imp)
		}
	}
	if f.types != nil {
		for _, imp := range f.types.Imports() {
			visit(imp)
		}
	}
	return names
}

func newFinding(p *packages.Package, pass string, d analysis.Diagnostic) Finding {
	f := Finding{
		Package:   p.PkgPath,
		PackageID: p.ID,
		Pass:      pass,
		Kind:      d.Category,
		URL:       d.URL,
		Message:   d.Message,
		Pos:       p.Fset.Position(d.Pos),
		End:       position(p.Fset, d.End),
		Main:      p.Module == nil || p.Module.Main,
		types:     p.Types,
	}
	if file := fileAt(p, d.Pos); file != nil {
		f.Func = funcAt(file, d.Pos)
		f.Generated = written.Generated(p.Fset, file)
	}
	for _, r := range d.Related {
		f.Related = append(f.Related, Related{p.Fset.Position(r.Pos), position(p.Fset, r.End), r.Message})
	}
	for _, fix := range d.SuggestedFixes {
		copied := slices.ContainsFunc(fix.TextEdits, func(e analysis.TextEdit) bool { return written.Copied(p.Fset, e.Pos) })
		if len(fix.TextEdits) == 0 || copied {
			continue
		}
		to := Fix{Message: fix.Message}
		for _, e := range fix.TextEdits {
			file := p.Fset.File(e.Pos)
			end := e.End
			if !end.IsValid() {
				end = e.Pos
			}
			to.Edits = append(to.Edits, Edit{file.Name(), file.Offset(e.Pos), file.Offset(end), string(e.NewText)})
		}
		f.Fixes = append(f.Fixes, to)
	}
	return f
}

func position(fset *token.FileSet, p token.Pos) token.Position {
	if !p.IsValid() {
		return token.Position{}
	}
	return fset.Position(p)
}

func fileAt(p *packages.Package, pos token.Pos) *ast.File {
	for _, f := range p.Syntax {
		if f.FileStart <= pos && pos < f.FileEnd {
			return f
		}
	}
	return nil
}

func funcAt(file *ast.File, pos token.Pos) string {
	path, _ := astutil.PathEnclosingInterval(file, pos, pos)
	for _, n := range path {
		if d, ok := n.(*ast.FuncDecl); ok {
			if d.Recv == nil || len(d.Recv.List) == 0 {
				return d.Name.Name
			}
			return typeName(d.Recv.List[0].Type) + "." + d.Name.Name
		}
	}
	return ""
}

// typeName is the name of a receiver's type, without star and type parameters.
func typeName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return typeName(e.X)
	case *ast.ParenExpr:
		return typeName(e.X)
	case *ast.IndexExpr:
		return typeName(e.X)
	case *ast.IndexListExpr:
		return typeName(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}
