package main

import (
	"fmt"

	"golang.org/x/tools/go/analysis/checker"
)

// A debugger is an analysis that can tell all records of a package's locks.
type debugger interface{ Debug() string }

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
