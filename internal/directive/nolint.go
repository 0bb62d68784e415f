package directive

import (
	"go/ast"
	"go/token"
	"strings"
)

// A Nolint is a //nolint comment that names locklint. One that names no linter is
// left to golangci-lint: it was not written with locklint in mind.
type Nolint struct {
	From, To int // lines
	Reason   string
	column   int
}

// Covers reports whether a finding in the line is meant.
func (n *Nolint) Covers(line int) bool { return n.From <= line && line <= n.To }

// Nolints finds the //nolint comments of a file. They reach as far as in
// golangci-lint: over the lines of their group of comments, and over a declaration or
// statement that begins in the next line, in the same column.
func Nolints(fset *token.FileSet, f *ast.File) []Nolint {
	var out []Nolint
	for _, g := range f.Comments {
		for _, c := range g.List {
			reason, ok := readNolint(c.Text)
			if !ok {
				continue
			}
			at := fset.Position(g.Pos())
			out = append(out, Nolint{at.Line, fset.Position(g.End()).Line, reason, at.Column})
		}
	}
	if len(out) > 0 {
		extend(out, fset, f)
	}
	return out
}

func extend(nolints []Nolint, fset *token.FileSet, f *ast.File) {
	ends := make([]int, len(nolints))
	ast.Inspect(f, func(n ast.Node) bool {
		if n == nil {
			return true
		}
		start := fset.Position(n.Pos())
		for i, nl := range nolints {
			if nl.To == start.Line-1 && nl.column == start.Column {
				ends[i] = max(ends[i], fset.Position(n.End()).Line)
			}
		}
		return true
	})
	for i, end := range ends {
		nolints[i].To = max(nolints[i].To, end)
	}
}

// readNolint reads the text of a comment, with the spaces that golangci-lint lets through.
func readNolint(comment string) (reason string, ok bool) {
	list, ok := strings.CutPrefix(strings.TrimLeft(comment, "/ "), "nolint:")
	if !ok {
		return "", false
	}
	list, reason, _ = strings.Cut(list, "//")
	for name := range strings.SplitSeq(list, ",") {
		if strings.EqualFold(strings.TrimSpace(name), "locklint") {
			return strings.TrimSpace(reason), true
		}
	}
	return "", false
}
