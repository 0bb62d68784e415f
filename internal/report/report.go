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
	"github.com/locklint/locklint/internal/written"
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
	directives []*directives
	seen       map[seen]bool
}

type seen struct {
	pos  token.Pos
	kind string
}

// New returns a reporter. Call Done when all findings are reported.
func New(pass *analysis.Pass, cfg *config.Config) *Reporter {
	r := &Reporter{pass: pass, cfg: cfg, seen: map[seen]bool{}}
	for _, f := range pass.Files {
		r.directives = append(r.directives, r.directivesOf(f))
	}
	return r
}

// Report reports a finding unless it is switched off, suppressed, in a generated
// file, or reported already.
func (r *Reporter) Report(f Finding) {
	k, ok := kinds.ByName(f.Kind)
	if !ok || !r.cfg.Enabled(f.Kind) || r.seen[seen{f.Pos, f.Kind}] {
		return
	}
	in := r.fileAt(f.Pos)
	if in == nil || written.Generated(r.pass.Fset, in.file) || r.test(in.file) {
		return
	}
	r.seen[seen{f.Pos, f.Kind}] = true
	d := r.diagnostic(f, k.URL())
	if reason, ok := in.ignored(f.Kind, r.line(f.Pos)); ok {
		r.silenced(d, reason)
		return
	}
	r.tell(in, d)
}

func (r *Reporter) diagnostic(f Finding, url string) analysis.Diagnostic {
	d := analysis.Diagnostic{Pos: f.Pos, End: f.End, Category: f.Kind, URL: url, Message: r.prefix(f.Kind) + f.Text}
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
	return d
}

// tell reports d unless a //nolint comment silences it.
func (r *Reporter) tell(in *directives, d analysis.Diagnostic) {
	if reason, ok := in.nolint(r.line(d.Pos)); ok {
		r.silenced(d, reason)
		return
	}
	r.pass.Report(d)
}

func (r *Reporter) silenced(d analysis.Diagnostic, reason string) {
	if r.cfg.Silenced != nil {
		r.cfg.Silenced(r.pass, d, reason)
	}
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

func (r *Reporter) line(pos token.Pos) int { return r.pass.Fset.Position(pos).Line }

func (r *Reporter) fileAt(pos token.Pos) *directives {
	for _, d := range r.directives {
		if d.file.FileStart <= pos && pos <= d.file.FileEnd {
			return d
		}
	}
	return nil
}

func (r *Reporter) test(f *ast.File) bool {
	return !r.cfg.Tests && strings.HasSuffix(r.pass.Fset.Position(f.FileStart).Filename, "_test.go")
}
