package main

import (
	"fmt"
	"io"
	"runtime/debug"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/locklint/locklint/internal/kinds"
)

func (c *command) help(args []string) int {
	c.usage(c.stdout)
	return exitClean
}

func (c *command) usage(w io.Writer) { fmt.Fprintln(w, "usage: locklint [flags] [packages]") }

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

// fileLine splits file:line; a column after it is let through.
func fileLine(s string) (file string, line int, err error) {
	parts := strings.Split(s, ":")
	for i := 1; i < len(parts); i++ {
		if n, err := strconv.Atoi(parts[i]); err == nil && n > 0 {
			return strings.Join(parts[:i], ":"), n, nil
		}
	}
	return "", 0, fmt.Errorf("-why: %q is not file:line", s)
}
