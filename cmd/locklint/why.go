package main

import (
	"bytes"
	"fmt"
	"go/build"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/packages"

	"github.com/locklint/locklint/internal/baseline"
	"github.com/locklint/locklint/internal/directive"
	"github.com/locklint/locklint/internal/locks"
	"github.com/locklint/locklint/internal/output"
	"github.com/locklint/locklint/internal/written"
)

// A witness is an analysis that can tell the evidence at a line.
type witness interface {
	Why(file string, line int) locks.Explanation
}

// fileLine splits file:line; a column after it is let through.
func fileLine(s string) (file string, line int, err error) {
	parts := strings.Split(s, ":")
	for i := 1; i < len(parts); i++ {
		if n, err := strconv.Atoi(parts[i]); err == nil && n > 0 && parts[0] != "" {
			return strings.Join(parts[:i], ":"), n, nil
		}
	}
	return "", 0, fmt.Errorf("-why: %q is not file:line; write it like -why=lock.go:12", s)
}

// findWhy finds the place that -why names.
func findWhy(s string) (place, error) {
	name, line, err := fileLine(s)
	if err != nil {
		return place{}, err
	}
	src, err := os.ReadFile(name)
	switch {
	case os.IsNotExist(err):
		return place{}, fmt.Errorf("-why: there is no file %s; name it from the current directory", name)
	case err != nil:
		return place{}, fmt.Errorf("-why: %w", err)
	}
	if n := bytes.Count(append(bytes.TrimSuffix(src, []byte("\n")), '\n'), []byte("\n")); line > n {
		return place{}, fmt.Errorf("-why: %s has no line %d, its last is %d", name, line, n)
	}
	file, err := filepath.Abs(name)
	return place{file, line}, err
}

// A place is a line of a file.
type place struct {
	file string // absolute
	line int
}

// printWhy prints the evidence at the line that -why names, and what is reported
// about it or why nothing is. The round was made with all passes and kinds.
func (c *command) printWhy(r *round, at place) error {
	var x locks.Explanation
	var in *packages.Package
	for _, act := range r.graph.Roots {
		w, ok := act.Result.(witness)
		if !ok || !slices.Contains(act.Package.GoFiles, at.file) {
			continue
		}
		in, x = act.Package, w.Why(at.file, at.line)
		for _, l := range x.Lines {
			fmt.Fprintln(c.stdout, l)
		}
	}
	if in == nil {
		fmt.Fprintf(c.stdout, "%s: not analysed: %s\n", c.why, c.whyNotAnalysed(at.file))
		return nil
	}
	told, err := c.reports(r, at, x)
	if err != nil {
		return err
	}
	switch {
	case len(told) > 0:
	case x.Places == nil:
		return nil
	case generated(in, at.file):
		told = []string{"nothing is reported in a generated file"}
	case x.Elsewhere:
		told = []string{"nothing is reported here: a fault would be where the command is written, in another package or with another lock"}
	default:
		told = []string{"nothing is wrong with it"}
	}
	for _, l := range told {
		fmt.Fprintln(c.stdout, l)
	}
	return nil
}

// reports says what becomes of each finding at the line, or about a lock there.
func (c *command) reports(r *round, at place, x locks.Explanation) ([]string, error) {
	meant := func(f output.Finding) bool {
		here := f.Pos.Filename == at.file && f.Pos.Line <= at.line && at.line <= max(f.Pos.Line, f.End.Line)
		return here || slices.ContainsFunc(x.Places, func(p locks.Place) bool { return p.Covers(f.Pos) })
	}
	wd, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	var told []string
	tell := func(f output.Finding, what string) {
		if c.hides(f) {
			what = "not reported, for it is switched off"
		}
		f.Pos.Filename = output.Rel(wd, f.Pos.Filename)
		told = append(told, fmt.Sprintf("%s: %s: %s", f.Pos, f.Rule(), what))
	}
	fresh, known := r.findings, []output.Finding(nil)
	if c.baseline != "" {
		b, err := baseline.Read(c.baseline)
		if err != nil {
			return nil, err
		}
		fresh, known, _ = b.Split(fresh, nil)
	}
	for _, f := range fresh {
		if meant(f) && !(f.Kind == "ignore" && len(c.off) > 0) { // it may be of use for what is off
			tell(f, "reported")
		}
	}
	for _, f := range known {
		if meant(f) {
			tell(f, "in the baseline")
		}
	}
	for _, f := range r.silenced {
		if meant(f.Finding) {
			tell(f.Finding, silencedBy(r, f))
		}
	}
	return told, nil
}

// silencedBy says which comment silences a finding.
func silencedBy(r *round, s output.Suppressed) string {
	text := "silenced"
	for _, p := range r.prog.Roots {
		for _, f := range p.Syntax {
			if p.Fset.Position(f.FileStart).Filename != s.Pos.Filename {
				continue
			}
			for _, i := range directive.Ignores(p.Fset, f) {
				if i.Covers(s.Pos.Line) && i.Reason != "" && slices.Contains(i.Kinds, s.Kind) {
					return fmt.Sprintf("silenced at line %d: %s", i.Line, i.Reason)
				}
			}
			for _, n := range directive.Nolints(p.Fset, f) {
				if n.Covers(s.Pos.Line) {
					return fmt.Sprintf("silenced by the //nolint at line %d", n.From)
				}
			}
		}
	}
	return text
}

// everything switches all passes and kinds on, and notes what was off, so that
// -why can tell it.
func (c *command) everything(all []*analysis.Analyzer) {
	c.off = map[string]bool{}
	for _, k := range c.cfg.Disable {
		c.off[k] = true
	}
	c.cfg.Disable = nil
	running := c.passes.enabled(all)
	for _, a := range all {
		if !slices.Contains(running, a) {
			c.off[a.Name] = true
		}
	}
}

// hides reports whether a finding is of a pass or kind that is switched off.
func (c *command) hides(f output.Finding) bool { return c.off[f.Pass] || c.off[f.Kind] }

func generated(p *packages.Package, file string) bool {
	for _, f := range p.Syntax {
		if p.Fset.Position(f.Package).Filename == file {
			return written.Generated(p.Fset, f)
		}
	}
	return false
}

// whyNotAnalysed says why a file is in none of the packages that were analysed.
func (c *command) whyNotAnalysed(file string) string {
	if strings.HasSuffix(file, "_test.go") && !c.cfg.Tests {
		return "a _test.go file needs -tests"
	}
	ctx := build.Default
	if c.tags != "" {
		ctx.BuildTags = strings.Split(c.tags, ",")
	}
	if ok, err := ctx.MatchFile(filepath.Split(file)); err == nil && !ok {
		return "left out by build constraints (-tags, GOOS) or by its name"
	}
	return "its package reaches no Redis client that locklint knows and has no method that looks like one, or is not among the packages named"
}
