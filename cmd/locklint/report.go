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
	"github.com/locklint/locklint/internal/load"
	"github.com/locklint/locklint/internal/output"
)

// A printout is what a format gets to print.
type printout struct {
	findings []output.Finding
	known    []output.Finding // hidden by the baseline
	errors   []string         // what could not be analysed
	dir      string           // the current directory
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
			Known:   p.known,
		}
		for _, k := range kinds.All {
			s.Rules = append(s.Rules, output.Rule{ID: k.Name, Pass: k.Pass, Title: k.Title, Help: kindDoc(k), URL: k.URL()})
		}
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

// report prints the findings, or does with them what the flags say, and returns
// what to exit with. Errors are what could not be analysed.
func (c *command) report(prog *load.Program, findings []output.Finding, errors []string) (int, error) {
	dir, err := os.Getwd()
	if err != nil {
		return 0, err
	}
	p := printout{findings: findings, errors: errors, dir: dir}
	if c.makeBaseline != "" {
		if len(errors) > 0 {
			return 0, fmt.Errorf("-write-baseline: not written, some packages could not be analysed")
		}
		b := baseline.New(findings)
		if err := b.Write(c.makeBaseline); err != nil {
			return 0, err
		}
		fmt.Fprintf(c.stderr, "locklint: %s written to %s\n", count(len(findings), "finding"), c.makeBaseline)
		return exitClean, nil
	}
	if c.baseline != "" {
		b, err := baseline.Read(c.baseline)
		if err != nil {
			return 0, err
		}
		analysed := map[string]bool{}
		for _, root := range prog.Roots {
			analysed[root.PkgPath] = true
		}
		var gone int
		p.findings, p.known, gone = b.Split(findings, analysed)
		if gone > 0 {
			fmt.Fprintf(c.stderr, "locklint: %s of %s no longer found; -write-baseline makes a shorter one\n", count(gone, "finding"), c.baseline)
		}
	}
	if c.fix || c.diff {
		return c.applyFixes(prog, p)
	}
	if err := formats[c.format](c, p); err != nil {
		return 0, err
	}
	return codeFor(p.findings), nil
}

// applyFixes applies the fixes and prints the findings that remain; or, with
// -diff, prints the changes only.
func (c *command) applyFixes(prog *load.Program, p printout) (int, error) {
	r := apply.Plan(p.findings, prog.Unchanged)
	if c.diff {
		for _, change := range r.Changes {
			name := filepath.ToSlash(output.Rel(p.dir, change.File))
			c.stdout.Write(diff.Diff("a/"+name, change.Old, "b/"+name, change.New))
		}
	} else {
		r.Write(atomicfile.Write)
		p.findings = r.Left
		if err := formats[c.format](c, p); err != nil {
			return 0, err
		}
		if len(r.Fixed) > 0 {
			fmt.Fprintf(c.stderr, "locklint: fixed %s in %s\n", count(len(r.Fixed), "finding"), count(changed(r.Fixed), "file"))
		}
	}
	for _, err := range r.Errors {
		fmt.Fprintf(c.stderr, "locklint: %v\n", err)
	}
	if len(r.Errors) > 0 {
		return exitFailed, nil
	}
	return codeFor(p.findings), nil
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
