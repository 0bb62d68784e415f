package main

import (
	"flag"
	"fmt"
	"slices"
	"strconv"

	"golang.org/x/tools/go/analysis"
)

// passes are the flags that switch passes on and off, by name.
type passes map[string]*choice

// bindPasses registers a flag for each pass.
func bindPasses(fs *flag.FlagSet, all []*analysis.Analyzer) passes {
	p := passes{}
	for _, a := range all {
		p[a.Name] = new(choice)
		fs.Var(p[a.Name], a.Name, "run this pass; -"+a.Name+"=false runs the others")
	}
	return p
}

// enabled picks the passes to run, as go vet does: if any is asked for, only
// those; otherwise all but those that are switched off.
func (p passes) enabled(all []*analysis.Analyzer) []*analysis.Analyzer {
	asked := slices.ContainsFunc(all, func(a *analysis.Analyzer) bool { return *p[a.Name] == on })
	var run []*analysis.Analyzer
	for _, a := range all {
		if want := *p[a.Name]; want == on || want == unset && !asked {
			run = append(run, a)
		}
	}
	return run
}

// A choice is a boolean flag that knows whether it was set.
type choice int

const (
	unset choice = iota
	on
	off
)

func (c *choice) IsBoolFlag() bool { return true }

func (c *choice) String() string { return [...]string{"", "true", "false"}[*c] }

func (c *choice) Set(s string) error {
	switch yes, err := strconv.ParseBool(s); {
	case err != nil:
		return fmt.Errorf("want true or false")
	case yes:
		*c = on
	default:
		*c = off
	}
	return nil
}
