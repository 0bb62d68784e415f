package report

import (
	"go/ast"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/locklint/locklint/internal/kinds"
)

// A directive silences kinds on its line and the next one:
//
//	//locklint:ignore kind[,kind] reason
type directive struct {
	comment *ast.Comment
	file    *ast.File
	line    int
	kinds   []string
	reason  string
	used    map[string]bool
}

const marker = "//locklint:ignore"

// directives finds the directives of a package.
func directives(pass *analysis.Pass) []*directive {
	var out []*directive
	for _, f := range pass.Files {
		for _, g := range f.Comments {
			for _, c := range g.List {
				if !strings.HasPrefix(c.Text, marker) {
					continue
				}
				rest := c.Text[len(marker):]
				if rest != "" && rest[0] != ' ' && rest[0] != '\t' {
					continue
				}
				d := &directive{comment: c, file: f, line: pass.Fset.Position(c.Pos()).Line, used: map[string]bool{}}
				if words := strings.Fields(rest); len(words) > 0 {
					d.kinds = strings.Split(words[0], ",")
					d.reason = strings.Join(words[1:], " ")
				}
				out = append(out, d)
			}
		}
	}
	return out
}

// suppressed reports whether a directive with a reason names the kind on the line
// of the finding or the line before.
func (r *Reporter) suppressed(f Finding) bool {
	found := false
	line := r.pass.Fset.Position(f.Pos).Line
	for _, d := range r.directives {
		if f.Pos < d.file.FileStart || f.Pos > d.file.FileEnd || line != d.line && line != d.line+1 {
			continue
		}
		for _, k := range d.kinds {
			if k == f.Kind && d.reason != "" {
				d.used[k] = true
				found = true
			}
		}
	}
	return found
}

// Done reports what is wrong with directives: kinds of this pass that silenced
// nothing, a missing reason. Names that are no kind, and directives that name
// none, are reported by the first pass of the table alone.
func (r *Reporter) Done() {
	pass := r.pass.Analyzer.Name
	firstPass := kinds.All[0].Pass == pass
	for _, d := range r.directives {
		if r.test(d.file) || ast.IsGenerated(d.file) {
			continue
		}
		if len(d.kinds) == 0 {
			if firstPass {
				r.directive(d, "locklint:ignore names no kind; write //locklint:ignore kind reason")
			}
			continue
		}
		for _, name := range d.kinds {
			k, ok := kinds.ByName(name)
			switch {
			case !ok:
				if firstPass {
					r.directive(d, "locklint:ignore names "+quote(name)+", which is no kind; the kinds are "+strings.Join(kinds.Names(), ", "))
				}
			case k.Pass != pass || !r.cfg.Enabled(name):
			case d.reason == "":
				r.directive(d, "locklint:ignore "+name+" gives no reason and is not obeyed; write //locklint:ignore "+name+" reason")
			case !d.used[name]:
				r.directive(d, "locklint:ignore "+name+" silences nothing; remove it")
			}
		}
	}
}

func (r *Reporter) directive(d *directive, text string) {
	r.pass.Report(analysis.Diagnostic{
		Pos: d.comment.Pos(), End: d.comment.End(), Category: "ignore", Message: r.prefix("ignore") + text,
	})
}

func quote(s string) string { return `"` + s + `"` }
