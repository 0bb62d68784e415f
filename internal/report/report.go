// Package report is how the passes speak: message prefix, category, page,
// related positions, and what is kept silent by directives, in generated files
// and in tests.
package report

import (
	"go/ast"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/locklint/locklint/internal/config"
	"github.com/locklint/locklint/internal/kinds"
)

// A Finding is one fault.
type Finding struct {
	Kind     string
	Pos, End token.Pos
	Text     string
	Related  []Related
	Fix      *analysis.SuggestedFix
}

// A Related position is the other end of a fault.
type Related struct {
	Pos, End token.Pos
	Text     string
}

// A Reporter reports the findings of one pass over one package.
type Reporter struct {
	pass       *analysis.Pass
	cfg        *config.Config
	directives []*directive
	seen       map[seen]bool
}

type seen struct {
	pos  token.Pos
	kind string
}

// New returns a reporter. Call Done when all findings are reported.
func New(pass *analysis.Pass, cfg *config.Config) *Reporter {
	return &Reporter{pass: pass, cfg: cfg, directives: directives(pass), seen: map[seen]bool{}}
}

// Report reports a finding unless it is switched off, suppressed, in a generated
// file, or reported already.
func (r *Reporter) Report(f Finding) {
	k, ok := kinds.ByName(f.Kind)
	if !ok || !r.cfg.Enabled(f.Kind) || r.seen[seen{f.Pos, f.Kind}] {
		return
	}
	file := r.file(f.Pos)
	if file == nil || ast.IsGenerated(file) || r.test(file) {
		return
	}
	r.seen[seen{f.Pos, f.Kind}] = true
	if r.suppressed(f) {
		return
	}
	d := analysis.Diagnostic{Pos: f.Pos, End: f.End, Category: f.Kind, URL: k.URL(), Message: r.prefix(f.Kind) + f.Text}
	for _, rel := range f.Related {
		if !rel.Pos.IsValid() {
			continue
		}
		if r.cfg.NoRelated {
			d.Message += "; " + rel.Text + " (" + r.where(rel.Pos) + ")"
			continue
		}
		d.Related = append(d.Related, analysis.RelatedInformation{Pos: rel.Pos, End: rel.End, Message: rel.Text})
	}
	if f.Fix != nil && len(f.Fix.TextEdits) > 0 && r.cfg.Fixes != config.FixesNone {
		d.SuggestedFixes = []analysis.SuggestedFix{*f.Fix}
	}
	r.pass.Report(d)
}

func (r *Reporter) prefix(kind string) string {
	switch r.cfg.Prefix {
	case config.PrefixKind:
		return kind + ": "
	case config.PrefixPassKind:
		return r.pass.Analyzer.Name + "/" + kind + ": "
	}
	return ""
}

func (r *Reporter) where(pos token.Pos) string {
	p := r.pass.Fset.Position(pos)
	return filepath.Base(p.Filename) + ":" + strconv.Itoa(p.Line)
}

func (r *Reporter) file(pos token.Pos) *ast.File {
	for _, f := range r.pass.Files {
		if f.FileStart <= pos && pos <= f.FileEnd {
			return f
		}
	}
	return nil
}

func (r *Reporter) test(f *ast.File) bool {
	return !r.cfg.Tests && strings.HasSuffix(r.pass.Fset.Position(f.FileStart).Filename, "_test.go")
}
