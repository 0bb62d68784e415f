package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"
)

// What the analysis of a package's locks can tell about them.
type (
	debugger interface{ Debug() string } // all records
	witness  interface {
		Why(file string, line int) []string
	} // the evidence at a line
)

// printLocks prints the record of each lock.
func (c *command) printLocks(graph *checker.Graph) error {
	for _, act := range graph.Roots {
		if r, ok := act.Result.(debugger); ok {
			if text := r.Debug(); text != "" {
				fmt.Fprintf(c.stdout, "# %s\n%s", act.Package.ID, text)
			}
		}
	}
	return nil
}

// printWhy prints the evidence at the line that -why names.
func (c *command) printWhy(graph *checker.Graph) error {
	name, line, err := fileLine(c.why)
	if err != nil {
		return err
	}
	if _, err := os.Stat(name); err != nil {
		return fmt.Errorf("-why: there is no file %s; name it from the current directory", name)
	}
	file, err := filepath.Abs(name)
	if err != nil {
		return err
	}
	has := func(p *packages.Package) bool { return slices.Contains(p.GoFiles, file) }
	found := false
	for _, act := range graph.Roots {
		r, ok := act.Result.(witness)
		if !ok || !has(act.Package) {
			continue
		}
		found = true
		for _, l := range r.Why(file, line) {
			fmt.Fprintln(c.stdout, l)
		}
	}
	if !found {
		fmt.Fprintf(c.stdout, "%s: not analysed: its package reaches no Redis client that locklint knows and has no method that looks like one, or is not among the packages named\n", c.why)
	}
	return nil
}
