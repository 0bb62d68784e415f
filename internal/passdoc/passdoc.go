// Package passdoc takes the documentation of a pass from its doc.go, so that
// pkg.go.dev, "locklint help" and docs/ show one text.
package passdoc

import (
	"fmt"
	"go/parser"
	"go/token"
	"strings"

	"github.com/locklint/locklint/internal/kinds"
)

// Must is Pass followed by the list of the pass's kinds. It panics where doc.go has
// no text on the pass: a mistake of the program, found by the first test.
func Must(source, name string) string {
	doc, err := Pass(source, name)
	if err != nil {
		panic(err)
	}
	doc += "\n\n# Kinds\n"
	for _, k := range kinds.OfPass(name) {
		doc += "\n  - " + k.Name + ": " + k.Title
	}
	return doc
}

// Pass returns the text below the heading "# Analyzer NAME" of a package comment.
// It must begin with "NAME: ", as drivers expect.
func Pass(source, name string) (string, error) {
	f, err := parser.ParseFile(token.NewFileSet(), "doc.go", source, parser.PackageClauseOnly|parser.ParseComments)
	if err != nil {
		return "", err
	}
	_, text, ok := strings.Cut(f.Doc.Text(), "# Analyzer "+name+"\n")
	if text = strings.TrimSpace(text); !ok || !strings.HasPrefix(text, name+": ") {
		return "", fmt.Errorf("doc.go has no heading %q followed by %q", "# Analyzer "+name, name+": …")
	}
	return text, nil
}

// URL is the page of a pass.
func URL(name string) string {
	return "https://github.com/locklint/locklint/blob/main/docs/passes/" + name + ".md"
}
