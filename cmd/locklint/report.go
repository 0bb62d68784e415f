package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/locklint/locklint/internal/apply"
	"github.com/locklint/locklint/internal/atomicfile"
	"github.com/locklint/locklint/internal/baseline"
	"github.com/locklint/locklint/internal/kinds"
	"github.com/locklint/locklint/internal/output"
)

// A printout is what a format gets to print.
type printout struct {
	findings []output.Finding
	hidden   []output.Suppressed // by the baseline or by comments
	errors   []string            // what could not be analysed
	dir      string              // the current directory
}

// formats are the ways to print findings.
var formats = map[string]func(c *command, p printout) error{
	"text": func(c *command, p printout) error {
		t := output.Text{W: c.stdout, Base: p.dir, Color: colors(c.stdout), Context: c.context}
		return t.Print(p.findings)
	},
	"json": func(c *command, p printout) error {
		return output.JSON(c.stdout, p.findings)
	},
	"sarif": func(c *command, p printout) error {
		s := output.SARIF{
			Version: version(),
			Root:    output.RepositoryRoot(p.dir),
			Errors:  p.errors,
		}
		if c.suppressed {
			s.Suppressed = p.hidden
		}
		for _, k := range kinds.All {
			s.Rules = append(s.Rules, output.Rule{ID: k.Name, Name: k.Pass + "/" + k.Name, Tag: k.Pass, Title: k.Title, Help: k.Text(), URL: k.URL()})
		}
		s.Rules = append(s.Rules, ignoreRule)
		return s.Print(c.stdout, p.findings)
	},
	"github": func(c *command, p printout) error {
		return output.GitHub(c.stdout, output.RepositoryRoot(p.dir), p.findings)
	},
	"checkstyle": func(c *command, p printout) error {
		return output.Checkstyle(c.stdout, p.dir, p.findings)
	},
}

func formatNames() []string {
	var names []string
	for name := range formats {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// report prints the findings that the baseline does not know, and returns what to
// exit with.
func (c *command) report(r *round) (int, error) {
	p, err := c.printout(r)
	if err != nil {
		return 0, err
	}
	if err := formats[c.format](c, p); err != nil {
		return 0, err
	}
	return codeFor(p.findings), nil
}

func (c *command) printout(r *round) (p printout, err error) {
	p.errors, p.hidden = r.errors, r.silenced
	if p.dir, err = os.Getwd(); err != nil {
		return p, err
	}
	if c.baseline == "" {
		p.findings = r.findings
		return p, nil
	}
	b, err := baseline.Read(c.baseline)
	if err != nil {
		return p, err
	}
	analysed := map[string]bool{}
	for _, root := range r.prog.Roots {
		analysed[root.PkgPath] = true
	}
	fresh, known, gone := b.Split(r.findings, analysed)
	p.findings = fresh
	for _, f := range known {
		p.hidden = append(p.hidden, output.Suppressed{Finding: f, Reason: "in the baseline"})
	}
	if gone > 0 {
		fmt.Fprintf(c.stderr, "locklint: %s of %s no longer found; -write-baseline makes a shorter one\n", count(gone, "finding"), c.baseline)
	}
	return p, nil
}

func (c *command) writeBaseline(r *round) error {
	if len(r.errors) > 0 {
		return fmt.Errorf("-write-baseline: not written, for some packages could not be analysed")
	}
	if err := baseline.New(r.findings).Write(c.makeBaseline); err != nil {
		return err
	}
	fmt.Fprintf(c.stderr, "locklint: %s written to %s\n", count(len(r.findings), "finding"), c.makeBaseline)
	return nil
}

// printDiff prints what applyFixes would change.
func (c *command) printDiff(r *round) (int, error) {
	p, err := c.printout(r)
	if err != nil {
		return 0, err
	}
	plan := apply.Plan(p.findings, r.prog.Unchanged)
	for _, change := range plan.Changes {
		name := filepath.ToSlash(output.Rel(p.dir, change.File))
		if _, err := c.stdout.Write(diff.Diff("a/"+name, change.Old, "b/"+name, change.New)); err != nil {
			return 0, err
		}
	}
	unfixed := 0
	for _, f := range plan.Left {
		if len(f.Fixes) == 0 || f.Generated {
			unfixed++
		}
	}
	switch {
	case unfixed == 1:
		fmt.Fprintln(c.stderr, "locklint: 1 finding has no fix")
	case unfixed > 1:
		fmt.Fprintf(c.stderr, "locklint: %d findings have no fix\n", unfixed)
	}
	if c.complain(plan.Errors) {
		return exitFailed, nil
	}
	return codeFor(p.findings), nil
}

// applyFixes applies the fixes, and reports what a second round still finds.
func (c *command) applyFixes(r *round) (int, error) {
	p, err := c.printout(r)
	if err != nil {
		return 0, err
	}
	plan := apply.Plan(p.findings, r.prog.Unchanged)
	plan.Write(atomicfile.Write)
	failed := c.complain(plan.Errors)
	if len(plan.Fixed) > 0 {
		fmt.Fprintf(c.stderr, "locklint: fixed %s in %s\n", count(len(plan.Fixed), "finding"), count(changed(plan.Fixed), "file"))
		if r, err = c.round(); err != nil {
			return 0, err
		}
		failed = failed || len(r.errors) > 0
	}
	code, err := c.report(r)
	if failed && err == nil {
		code = exitFailed
	}
	return code, err
}

// complain prints why fixes were not applied, if any were not.
func (c *command) complain(errors []error) bool {
	for _, err := range errors {
		fmt.Fprintf(c.stderr, "locklint: %v\n", err)
	}
	return len(errors) > 0
}

func codeFor(findings []output.Finding) int {
	if len(findings) > 0 {
		return exitFindings
	}
	return exitClean
}

// changed counts the files that fixes changed.
func changed(fixed []output.Finding) int {
	files := map[string]bool{}
	for _, f := range fixed {
		for _, e := range f.Fixes[0].Edits {
			files[e.File] = true
		}
	}
	return len(files)
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
