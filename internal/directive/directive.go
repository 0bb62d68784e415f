// Package directive reads the comments that keep findings silent:
//
//	//locklint:ignore kind[,kind] reason
//	//nolint:locklint // reason
//
// The first silences kinds on its line and the next one. The second is that of
// golangci-lint, and silences all kinds where golangci-lint would.
package directive

import (
	"go/ast"
	"go/token"
	"strings"
)

// Name is what the directive of locklint begins with, without the slashes.
const Name = "locklint:ignore"

// An Ignore is a locklint:ignore comment.
type Ignore struct {
	Comment *ast.Comment
	Line    int
	Kinds   []string
	Reason  string // it is obeyed only with one
	// Misspelled says why nobody takes the comment for a directive but its author;
	// empty if it is one.
	Misspelled string
}

// Covers reports whether a finding in the line is meant.
func (i *Ignore) Covers(line int) bool {
	return i.Misspelled == "" && (line == i.Line || line == i.Line+1)
}

// Ignores finds the locklint:ignore comments of a file.
func Ignores(fset *token.FileSet, f *ast.File) []Ignore {
	var out []Ignore
	for _, g := range f.Comments {
		for _, c := range g.List {
			if i, ok := readIgnore(c.Text); ok {
				i.Comment, i.Line = c, fset.Position(c.Pos()).Line
				out = append(out, i)
			}
		}
	}
	return out
}

// readIgnore reads the text of a comment. Like all directives of Go it has no space
// after the slashes, and is no block; what differs in that alone, or in a colon
// before the kind, is misspelled.
func readIgnore(comment string) (Ignore, bool) {
	text := strings.TrimSuffix(comment[2:], "*/")
	rest, ok := strings.CutPrefix(strings.TrimLeft(text, " \t\r\n"), Name)
	if !ok {
		return Ignore{}, false
	}
	misspelled := ""
	if after, colon := strings.CutPrefix(rest, ":"); colon {
		rest, misspelled = " "+after, "a directive has no colon before the kind"
	}
	if !strings.HasPrefix(comment, "//"+Name) {
		misspelled = "a directive is a // comment without a space"
	}
	if rest != "" && !strings.ContainsRune(" \t\r\n", rune(rest[0])) {
		return Ignore{}, false // another directive
	}
	i := Ignore{Misspelled: misspelled}
	if words := strings.Fields(rest); len(words) > 0 {
		i.Kinds = strings.Split(words[0], ",")
		i.Reason = strings.Join(words[1:], " ")
	}
	return i, true
}
