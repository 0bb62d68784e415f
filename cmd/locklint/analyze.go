package main

import (
	"fmt"
	"os"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/locklint/locklint/internal/load"
	"github.com/locklint/locklint/internal/output"
)

// analyze loads the packages, runs the passes and prints what they say.
func (c *command) analyze() int {
	passes := c.enabled(analyzers(&c.cfg))
	if len(passes) == 0 {
		return c.fail(fmt.Errorf("all passes are switched off"))
	}
	progress := newProgress(c.stderr)
	prog, err := load.Load(load.Options{
		Patterns: c.patterns,
		Tags:     c.tags,
		Tests:    c.cfg.Tests,
		MayHold:  mayHold(&c.cfg),
		Progress: progress.show,
	})
	if err != nil {
		progress.clear()
		return c.fail(err)
	}
	progress.show(fmt.Sprintf("analyzing %d of %d packages", len(prog.Roots), prog.Listed))
	var graph *checker.Graph
	run := passes
	if c.debugLocks || c.why != "" {
		// Results are kept for analyzers that are asked for, only.
		run = []*analysis.Analyzer{passes[0].Requires[0]}
	}
	graph, err = checker.Analyze(run, prog.Roots, nil)
	progress.clear()
	if err != nil {
		return c.fail(err)
	}

	errors := failures(prog, graph)
	for _, e := range errors {
		fmt.Fprintln(c.stderr, e)
	}
	code := exitClean
	switch {
	case c.debugLocks:
		err = c.printLocks(graph)
	case c.why != "":
		err = c.printWhy(graph)
	default:
		code, err = c.report(prog, output.Collect(graph), errors)
	}
	if err != nil {
		return c.fail(err)
	}
	if len(errors) > 0 {
		return exitFailed
	}
	return code
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
