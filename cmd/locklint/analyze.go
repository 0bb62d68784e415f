package main

import (
	"fmt"
	"os"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/locklint/locklint"
	"github.com/locklint/locklint/internal/load"
	"github.com/locklint/locklint/internal/output"
)

// analyze loads the packages, runs the passes and prints what they say.
func (c *command) analyze() int {
	passes := c.enabled(locklint.Analyzers(&c.cfg))
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

	failed := c.printErrors(prog, graph)
	code := exitClean
	switch {
	case c.debugLocks:
		err = c.printLocks(graph)
	case c.why != "":
		err = c.printWhy(graph)
	default:
		code, err = c.report(prog, output.Collect(graph))
	}
	if err != nil {
		return c.fail(err)
	}
	if failed {
		return exitFailed
	}
	return code
}

// printErrors says which packages could not be analysed and why. The others'
// findings follow.
func (c *command) printErrors(prog *load.Program, graph *checker.Graph) bool {
	wd, _ := os.Getwd()
	broken := map[*packages.Package]bool{}
	for _, e := range prog.Errors {
		pos := ""
		if e.Pos != "" && e.Pos != "-" {
			pos = output.Rel(wd, e.Pos) + ": "
		}
		fmt.Fprintf(c.stderr, "%s%s\n", pos, strings.TrimSpace(e.Msg))
	}
	failed := len(prog.Errors) > 0
	for _, act := range graph.Roots {
		if act.Err == nil || broken[act.Package] {
			continue
		}
		failed = true
		broken[act.Package] = true
		if len(act.Package.Errors) == 0 && act.Package.IllTyped {
			fmt.Fprintf(c.stderr, "%s: not analysed, a package that it imports has errors\n", act.Package.PkgPath)
		} else if len(act.Package.Errors) == 0 {
			fmt.Fprintf(c.stderr, "%s: %v\n", act.Package.PkgPath, act.Err)
		}
	}
	return failed
}
