package main

import (
	"flag"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"
	"text/tabwriter"

	"golang.org/x/tools/go/analysis"

	"github.com/locklint/locklint/internal/kinds"
	"github.com/locklint/locklint/internal/output"
)

const intro = `Locklint finds misuse of Redis locks in Go code: keys created by SETNX without
expiry, locks freed or renewed by those who do not own them, values that do not
tell holders apart.

Usage:

	locklint [flags] [packages]                       (./... without packages)
	locklint help [kind, pass or flag]
	go vet -vettool=$(which locklint) [flags] packages
	go fix -fixtool=$(which locklint) [flags] packages

Locklint exits with 0 if there is nothing to report, 1 if there are findings, and 2
if it was called wrongly or a package could not be analysed. Findings go to the
standard output, errors to the standard error.

A finding is silenced where it stands by a comment with a reason, on the line or
on the one above:

	//locklint:ignore kind reason
`

// ignoreRule is what a finding about a directive says. It is of each pass.
var ignoreRule = output.Rule{
	ID: "ignore", Name: "ignore", Tag: "directive",
	Title: "a locklint:ignore comment that is not obeyed or not needed",
	Help:  "Write //locklint:ignore kind reason on the line of the finding or on the line above, and remove it when it silences nothing any more.",
	URL:   "https://github.com/locklint/locklint",
}

func (c *command) help(args []string) int {
	if len(args) == 0 {
		c.usage(c.stdout)
		return exitClean
	}
	passes := analyzers(&c.cfg)
	for i, name := range args {
		if i > 0 {
			fmt.Fprintln(c.stdout)
		}
		name = name[strings.LastIndexByte(name, '/')+1:] // pass/kind, as reports have it
		if name == ignoreRule.ID {
			fmt.Fprintf(c.stdout, "%s: %s\n\n%s\n", ignoreRule.ID, ignoreRule.Title, ignoreRule.Help)
			continue
		}
		if k, ok := kinds.ByName(name); ok {
			fmt.Fprintf(c.stdout, "%s: %s\n\nPass: %s. Fix: %s.\n\n%s\nMore: %s\n", k.Name, k.Title, k.Pass, k.Fix, k.Text(), k.URL())
			continue
		}
		if at := slices.IndexFunc(passes, func(a *analysis.Analyzer) bool { return a.Name == name }); at >= 0 {
			fmt.Fprintln(c.stdout, strings.TrimSpace(passes[at].Doc))
			continue
		}
		if !c.helpFlag(name) {
			return c.fail(fmt.Errorf("help: there is no kind, pass or flag %q; -list shows the kinds, 'locklint help' the flags", name))
		}
	}
	return exitClean
}

// helpFlag explains a flag, which may be named with its dash.
func (c *command) helpFlag(name string) bool {
	f := c.flags().Lookup(strings.TrimLeft(name, "-"))
	if f == nil {
		return false
	}
	alone := flag.NewFlagSet("", flag.ContinueOnError)
	alone.SetOutput(c.stdout)
	alone.Var(f.Value, f.Name, f.Usage)
	alone.PrintDefaults()
	return true
}

func (c *command) usage(w io.Writer) {
	fmt.Fprintf(w, "%s\nKinds (\"locklint help KIND\" explains one):\n\n", intro)
	c.printKinds(w)
	fmt.Fprintf(w, "\nFlags:\n\n")
	fs := c.flags()
	fs.SetOutput(w)
	fs.PrintDefaults()
}

func (c *command) printKinds(w io.Writer) {
	tw := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	for _, k := range kinds.All {
		fmt.Fprintf(tw, "%s\t%s\tfix: %s\t%s\n", k.Name, k.Pass, k.Fix, k.Title)
	}
	tw.Flush()
}

// version is the version of the module that the program was built from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "(unknown)"
	}
	return info.Main.Version + " " + info.GoVersion
}
