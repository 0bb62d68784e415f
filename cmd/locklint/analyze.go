package main

import (
	"fmt"
	"os"
	"strings"

	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/locklint/locklint/internal/load"
	"github.com/locklint/locklint/internal/output"
)

// A round is one analysis of the packages.
type round struct {
	prog     *load.Program
	graph    *checker.Graph
	findings []output.Finding
	silenced []output.Suppressed // what comments in the source hide, for SARIF
	errors   []string            // what could not be analysed
}

// analyze runs the passes and does with what they say as the flags tell.
func (c *command) analyze() int {
	var asked place
	if c.asked {
		var err error
		if asked, err = findWhy(c.why); err != nil {
			return c.fail(err)
		}
	}
	r, err := c.round()
	if err != nil {
		return c.fail(err)
	}
	code := exitClean
	switch {
	case c.debugLocks:
		err = c.printLocks(r.graph)
	case c.asked:
		err = c.printWhy(r, asked)
	case c.makeBaseline != "":
		err = c.writeBaseline(r)
	case c.diff:
		code, err = c.printDiff(r)
	case c.fix:
		code, err = c.applyFixes(r)
	default:
		code, err = c.report(r)
	}
	if err != nil {
		return c.fail(err)
	}
	if len(r.errors) > 0 {
		return exitFailed
	}
	return code
}

// round loads the packages and runs the passes. It prints what could not be
// analysed.
func (c *command) round() (*round, error) {
	all := analyzers(&c.cfg)
	passes := c.passes.enabled(all)
	if len(passes) == 0 {
		return nil, fmt.Errorf("all passes are switched off")
	}
	// A result is kept only for an analyzer that is asked for.
	records := passes[0].Requires[:1]
	switch {
	case c.debugLocks:
		passes = records
	case c.asked:
		c.everything(all)
		passes = append(all, records...)
	}
	c.cfg.First = passes[0].Name
	var silenced output.Silenced
	if c.asked || c.format == "sarif" && c.suppressed {
		c.cfg.Silenced = silenced.Add
	}
	progress := newProgress(c.stderr)
	defer progress.clear()
	prog, err := load.Load(load.Options{
		Patterns: c.patterns,
		Tags:     c.tags,
		Tests:    c.cfg.Tests,
		MayHold:  mayHold(&c.cfg),
		Progress: progress.show,
	})
	if err != nil {
		return nil, err
	}
	progress.show(fmt.Sprintf("analyzing %d of %d packages", len(prog.Roots), prog.Listed))
	graph, err := checker.Analyze(passes, prog.Roots, nil)
	if err != nil {
		return nil, err
	}
	progress.clear()
	r := &round{prog, graph, output.Collect(graph), silenced.Collect(graph), failures(prog, graph)}
	for _, e := range r.errors {
		fmt.Fprintln(c.stderr, e)
	}
	return r, nil
}

// failures says which packages could not be analysed and why.
func failures(prog *load.Program, graph *checker.Graph) []string {
	wd, _ := os.Getwd() // without it, positions stay absolute
	var lines []string
	for _, e := range prog.Errors {
		line := strings.TrimSpace(e.Msg)
		if e.Pos != "" && e.Pos != "-" {
			line = output.Rel(wd, e.Pos) + ": " + line
		}
		lines = append(lines, line)
	}
	told := map[*packages.Package]bool{}
	for _, act := range graph.Roots {
		p := act.Package
		if act.Err == nil || told[p] || len(p.Errors) > 0 {
			continue
		}
		told[p] = true
		if p.IllTyped {
			lines = append(lines, p.PkgPath+": not analysed, for a package that it imports has errors")
		} else {
			lines = append(lines, fmt.Sprintf("%s: %v", p.PkgPath, act.Err))
		}
	}
	return lines
}
