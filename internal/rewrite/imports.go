package rewrite

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
)

// addImport adds an import. Each package has a place of its own between two lines,
// so that the edits of two plans that need different packages never meet.
func (d *draft) addImport(s *source, importPath, name string) bool {
	line := strconv.Quote(importPath)
	if name != baseName(importPath) || importPath == runtimePath {
		line = name + " " + line
	}
	before := len(d.edits)
	defer func() {
		for i := range d.edits[before:] {
			d.edits[before+i].imports = true
		}
	}()
	decl := importDecl(s.file)
	if decl == nil {
		pos := s.after(s.file.Name)
		return d.insert(pos, "\n\nimport "+line)
	}
	if !decl.Lparen.IsValid() {
		return d.insert(s.after(decl), "\nimport "+line)
	}
	std := !strings.Contains(strings.Split(importPath, "/")[0], ".")
	group := groupOf(s, decl, std)
	if len(group) == 0 {
		if len(decl.Specs) == 0 {
			return d.insert(s.pos(s.offset(decl.Lparen)+1), "\n\t"+line+"\n")
		}
		if std {
			return d.insert(s.pos(s.lineStart(specPos(decl.Specs[0]))), "\t"+line+"\n\n")
		}
		return d.insert(s.after(decl.Specs[len(decl.Specs)-1]), "\n\n\t"+line)
	}
	for _, spec := range group {
		if pathOf(spec) > importPath && !strings.Contains(s.before(specPos(spec)), "(") {
			return d.insertBetween(s, s.lineStart(specPos(spec)), importPath, line)
		}
	}
	last := group[len(group)-1]
	end := s.after(last)
	if s.offset(end) != s.lineEnd(last.End()) {
		return d.insert(end, "\n\t"+line)
	}
	return d.insertBetween(s, s.offset(end)+1, importPath, line)
}

// insertBetween inserts a line before the line that begins at an offset. What
// takes tokens goes at the end of the line above, the rest at the start of the
// line.
func (d *draft) insertBetween(s *source, lineStart int, importPath, line string) bool {
	switch importPath {
	case "errors":
		return d.insert(s.pos(lineStart), "\t"+line+"\n")
	default:
		return d.insert(s.pos(lineStart-1), "\n\t"+line)
	}
}

func importDecl(f *ast.File) *ast.GenDecl {
	var first *ast.GenDecl
	for _, decl := range f.Decls {
		g, ok := decl.(*ast.GenDecl)
		if !ok || g.Tok != token.IMPORT {
			continue
		}
		if len(g.Specs) == 1 && pathOf(g.Specs[0]) == "C" {
			continue
		}
		if g.Lparen.IsValid() {
			return g
		}
		if first == nil {
			first = g
		}
	}
	return first
}

func pathOf(spec ast.Spec) string {
	p, _ := strconv.Unquote(spec.(*ast.ImportSpec).Path.Value)
	return p
}

// specPos is where an import begins, its comment included.
func specPos(spec ast.Spec) token.Pos {
	s := spec.(*ast.ImportSpec)
	if s.Doc != nil {
		return s.Doc.Pos()
	}
	return s.Pos()
}

// groupOf returns the first group of imports, set apart by blank lines, that has
// one of the standard library, or one that is not.
func groupOf(s *source, decl *ast.GenDecl, std bool) []ast.Spec {
	var group []ast.Spec
	line := 0
	flush := func() bool {
		for _, spec := range group {
			if strings.Contains(strings.Split(pathOf(spec), "/")[0], ".") != std {
				return true
			}
		}
		return false
	}
	for _, spec := range decl.Specs {
		if at := s.tok.Line(specPos(spec)); len(group) > 0 && at > line+1 {
			if flush() {
				return group
			}
			group = nil
		}
		group = append(group, spec)
		line = s.tok.Line(spec.End())
	}
	if flush() {
		return group
	}
	return nil
}

// unused removes the imports that nothing refers to once the edits are made.
func (d *draft) unused(edits []edit) []edit {
	s := d.source
	f, err := parser.ParseFile(token.NewFileSet(), "", s.apply(edits), 0)
	if err != nil {
		return edits
	}
	used := map[string]bool{}
	for _, id := range f.Unresolved {
		used[id.Name] = true
	}
	for _, spec := range s.file.Imports {
		pn := d.info.PkgNameOf(spec)
		if pn == nil || pn.Name() == "_" || pn.Name() == "." || pn.Name() == "C" || used[pn.Name()] {
			continue
		}
		edits = append(edits, s.withoutSpec(spec))
	}
	out, ok := sortEdits(edits)
	if !ok {
		return edits
	}
	return out
}

// withoutSpec removes an import: its line, or the declaration where it is alone.
func (s *source) withoutSpec(spec *ast.ImportSpec) edit {
	pos, end := specPos(spec), spec.End()
	for _, decl := range s.file.Decls {
		if g, ok := decl.(*ast.GenDecl); ok && g.Pos() <= pos && end <= g.End() && len(g.Specs) == 1 {
			pos, end = g.Pos(), g.End()
		}
	}
	from, to := s.lineStart(pos), s.lineEnd(end)
	if strings.TrimSpace(s.before(pos)) != "" || to == len(s.content) {
		return edit{pos: pos, end: end, imports: true}
	}
	return edit{pos: s.pos(from), end: s.pos(to + 1), imports: true}
}
