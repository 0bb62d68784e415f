package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/locklint/locklint"
)

// What the program exits with.
const (
	exitClean    = 0
	exitFindings = 1
	exitFailed   = 2 // bad usage, or a package that could not be loaded
)

// analyzers makes the passes.
var analyzers = locklint.Analyzers

// A command is one run of the program.
type command struct {
	stdout, stderr io.Writer

	cfg      locklint.Config
	passes   passes
	patterns []string

	dir, tags              string
	format                 string
	json                   bool
	context                int
	suppressed             bool
	fix, diff              bool
	baseline, makeBaseline string
	list, version          bool
	why                    string
	asked                  bool            // -why is given
	off                    map[string]bool // passes and kinds that are switched off, for -why
	debugLocks             bool
}

func run(args []string, stdout, stderr io.Writer) int {
	c := &command{stdout: stdout, stderr: stderr, cfg: locklint.DefaultConfig()}
	switch {
	case len(args) > 0 && args[0] == "help":
		return c.help(args[1:])
	case slices.Equal(args, []string{"version"}):
		args = []string{"-version"}
	}
	fs := c.flags()
	switch err := fs.Parse(args); {
	case err == flag.ErrHelp:
		c.usage(stdout)
		return exitClean
	case err != nil:
		return c.fail(fmt.Errorf("%w\nRun 'locklint help' for the flags", err))
	}
	fs.Visit(func(f *flag.Flag) { c.asked = c.asked || f.Name == "why" })
	c.patterns = fs.Args()
	if len(c.patterns) == 0 {
		c.patterns = []string{"./..."}
	}
	switch {
	case c.version:
		fmt.Fprintln(stdout, "locklint", version())
		return exitClean
	case c.list:
		c.printKinds(stdout)
		return exitClean
	}
	if err := c.check(); err != nil {
		return c.fail(err)
	}
	if c.dir != "" {
		if err := os.Chdir(c.dir); err != nil {
			return c.fail(err)
		}
		// The go command trusts PWD if it names the current directory.
		os.Unsetenv("PWD")
	}
	return c.analyze()
}

func (c *command) flags() *flag.FlagSet {
	fs := flag.NewFlagSet("locklint", flag.ContinueOnError)
	fs.SetOutput(io.Discard) // errors are printed by fail, once
	c.cfg.Bind(fs)
	c.passes = bindPasses(fs, analyzers(&c.cfg))
	fs.StringVar(&c.dir, "C", "", "change to `dir` first")
	fs.StringVar(&c.tags, "tags", "", "comma-separated build `tags`")
	fs.StringVar(&c.format, "format", "", "output `format`: text, json, sarif, github or checkstyle")
	fs.BoolVar(&c.json, "json", false, "the same as -format=json, the shape of go vet -json in one document")
	fs.IntVar(&c.context, "c", 0, "with text, print `n` lines around the source line; -1 prints no source")
	fs.BoolVar(&c.suppressed, "suppressed", true, "with sarif, print what comments and the baseline hide too, as suppressed; code scanning of GitHub takes it for open")
	fs.BoolVar(&c.fix, "fix", false, "apply the fixes and report what is left")
	fs.BoolVar(&c.diff, "diff", false, "print what -fix would change and write nothing")
	fs.StringVar(&c.baseline, "baseline", "", "hide the findings that `file` knows")
	fs.StringVar(&c.makeBaseline, "write-baseline", "", "write the findings to `file`, for -baseline")
	fs.BoolVar(&c.list, "list", false, "list the kinds of findings")
	fs.BoolVar(&c.version, "version", false, "print the version")
	fs.StringVar(&c.why, "why", "", "print the evidence for or against a lock at `file:line`, and what is reported about it or why nothing is")
	fs.BoolVar(&c.debugLocks, "debug.locks", false, "print the record of each lock")
	return fs
}

// check finds what the flags do not allow together.
func (c *command) check() error {
	if c.json {
		if c.format != "" && c.format != "json" {
			return fmt.Errorf("-json and -format=%s exclude each other", c.format)
		}
		c.format = "json"
	}
	if c.format == "" {
		c.format = "text"
	}
	if formats[c.format] == nil {
		return fmt.Errorf("-format: %q is not one of %s", c.format, strings.Join(formatNames(), ", "))
	}
	if c.context < -1 {
		return fmt.Errorf("-c: %d is less than -1", c.context)
	}
	if c.baseline != "" && c.makeBaseline != "" {
		return fmt.Errorf("-baseline and -write-baseline exclude each other: one reads, the other writes")
	}
	if c.makeBaseline != "" && (c.fix || c.diff) {
		return fmt.Errorf("-write-baseline and -fix or -diff exclude each other")
	}
	if c.diff && c.format != "text" {
		return fmt.Errorf("-diff prints a diff: -format=%s has no effect on it", c.format)
	}
	if c.asked {
		if c.fix || c.diff || c.makeBaseline != "" {
			return fmt.Errorf("-why explains, and changes nothing: run it without -fix, -diff and -write-baseline")
		}
		if _, _, err := fileLine(c.why); err != nil {
			return err
		}
	}
	return c.cfg.Validate()
}

// fail prints err.
func (c *command) fail(err error) int {
	fmt.Fprintf(c.stderr, "locklint: %v\n", err)
	return exitFailed
}
