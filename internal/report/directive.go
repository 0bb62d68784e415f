package report

import (
	"cmp"
	"go/ast"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/locklint/locklint/internal/directive"
	"github.com/locklint/locklint/internal/kinds"
	"github.com/locklint/locklint/internal/written"
)

// directives are those of one file.
type directives struct {
	file    *ast.File
	ignores []directive.Ignore
	used    map[use]bool
	nolints []directive.Nolint
}

// A use is a directive, by its index, and a kind that it silenced.
type use struct {
	ignore int
	kind   string
}

func (r *Reporter) directivesOf(f *ast.File) *directives {
	d := &directives{file: f, ignores: directive.Ignores(r.pass.Fset, f), used: map[use]bool{}}
	if !r.cfg.DriverNolint {
		d.nolints = directive.Nolints(r.pass.Fset, f)
	}
	return d
}

// ignored looks for a directive with a reason that names the kind on the line or the
// line before. All that do so are of use.
func (d *directives) ignored(kind string, line int) (reason string, ok bool) {
	for i, ig := range d.ignores {
		if ig.Reason == "" || !ig.Covers(line) || !slices.Contains(ig.Kinds, kind) {
			continue
		}
		d.used[use{i, kind}] = true
		if !ok {
			reason, ok = ig.Reason, true
		}
	}
	return reason, ok
}

func (d *directives) nolint(line int) (reason string, ok bool) {
	for _, n := range d.nolints {
		if n.Covers(line) {
			return n.Reason, true
		}
	}
	return "", false
}

// Done reports what is wrong with directives: kinds of this pass that silenced
// nothing, a missing reason, a spelling that nobody obeys. What names no kind of any
// pass is reported by the first pass that runs alone.
func (r *Reporter) Done() {
	for _, d := range r.directives {
		if r.test(d.file) || written.Generated(r.pass.Fset, d.file) {
			continue
		}
		for i := range d.ignores {
			r.judge(d, i)
		}
	}
}

func (r *Reporter) judge(d *directives, i int) {
	pass := r.pass.Analyzer.Name
	first := r.first() == pass
	ig := &d.ignores[i]
	tell := func(text string) { r.directive(d, ig, text) }
	switch {
	case ig.Misspelled != "":
		r.misspelled(ig, tell)
		return
	case len(ig.Kinds) == 0:
		if first {
			tell("locklint:ignore names no kind; write //locklint:ignore kind reason")
		}
		return
	}
	for _, name := range ig.Kinds {
		k, ok := kinds.ByName(name)
		switch {
		case !ok:
			if first {
				tell("locklint:ignore names " + strconv.Quote(name) + ", which is no kind; the kinds are " + strings.Join(kinds.Names(), ", "))
			}
		case k.Pass != pass || !r.cfg.Enabled(name):
		case ig.Reason == "":
			tell("locklint:ignore " + name + " gives no reason and is not obeyed; write //locklint:ignore " + name + " reason")
		case !d.used[use{i, name}]:
			tell("locklint:ignore " + name + " silences nothing; remove it")
		}
	}
}

// misspelled tells, once, how a comment is written that somebody took for a
// directive. Where the first word is no kind, the comment may be about directives.
func (r *Reporter) misspelled(ig *directive.Ignore, tell func(string)) {
	list, reason := "kind", "reason"
	by := r.first()
	if len(ig.Kinds) > 0 {
		i := slices.IndexFunc(ig.Kinds, func(name string) bool { _, ok := kinds.ByName(name); return ok })
		if i < 0 {
			return
		}
		k, _ := kinds.ByName(ig.Kinds[i])
		if !r.cfg.Enabled(k.Name) {
			return
		}
		by, list = k.Pass, strings.Join(ig.Kinds, ",")
	}
	if ig.Reason != "" {
		reason = ig.Reason
	}
	if r.pass.Analyzer.Name == by {
		tell("this comment is no directive and silences nothing, for " + ig.Misspelled + "; write //" + directive.Name + " " + list + " " + reason)
	}
}

// first is the pass that speaks for all.
func (r *Reporter) first() string { return cmp.Or(r.cfg.First, kinds.All[0].Pass) }

func (r *Reporter) directive(d *directives, ig *directive.Ignore, text string) {
	r.tell(d, analysis.Diagnostic{
		Pos: ig.Comment.Pos(), End: ig.Comment.End(), Category: "ignore", Message: r.prefix("ignore") + text,
	})
}
