package main

import (
	"fmt"
	"os"
	"slices"

	"golang.org/x/tools/go/analysis/checker"

	"github.com/locklint/locklint/internal/load"
	"github.com/locklint/locklint/internal/output"
)

// formats are the ways to print findings.
var formats = map[string]func(c *command, findings []output.Finding) error{
	"text": func(c *command, findings []output.Finding) error {
		wd, _ := os.Getwd()
		t := output.Text{W: c.stdout, Base: wd, Color: colors(c.stdout), Context: c.context}
		return t.Print(findings)
	},
	"json": func(c *command, findings []output.Finding) error { return output.JSON(c.stdout, findings) },
}

func formatNames() []string {
	var names []string
	for name := range formats {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// report prints the findings.
func (c *command) report(prog *load.Program, findings []output.Finding) (int, error) {
	code := exitClean
	if len(findings) > 0 {
		code = exitFindings
	}
	return code, formats[c.format](c, findings)
}

func (c *command) printLocks(graph *checker.Graph) error { return fmt.Errorf("no locks yet") }
func (c *command) printWhy(graph *checker.Graph) error   { return fmt.Errorf("no locks yet") }
