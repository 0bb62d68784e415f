package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/locklint/locklint"
	"github.com/locklint/locklint/internal/config"
)

// vet speaks the protocol of go vet. Version and caching are the driver's own
// affair: a -V flag of ours would break both.
func vet(args []string) {
	cfg := locklint.DefaultConfig()
	all := analyzers(&cfg)
	running, err := settings(&cfg, all, args)
	if err != nil {
		refuse(args, err)
	}
	cfg = locklint.DefaultConfig() // unitchecker reads the flags once more
	cfg.Prefix = config.PrefixPassKind
	if len(running) > 0 {
		cfg.First = running[0].Name
	}
	cfg.Bind(flag.CommandLine)
	unitchecker.Main(all...)
}

// settings reads those of the flags that are settings, as the go command writes
// flags: each in one word. It returns the passes that are to run.
func settings(cfg *locklint.Config, all []*analysis.Analyzer, args []string) ([]*analysis.Analyzer, error) {
	fs := flag.NewFlagSet("locklint", flag.ContinueOnError)
	cfg.Bind(fs)
	passes := bindPasses(fs, all)
	for _, arg := range args {
		name, value, ok := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		if fs.Lookup(name) == nil {
			continue
		}
		if !ok {
			value = "true"
		}
		if err := fs.Set(name, value); err != nil {
			return nil, fmt.Errorf("-%s: %w", name, err)
		}
	}
	return passes.enabled(all), nil
}

// refuse ends the program, with one line where the flag package would print the
// usage. The go command runs the program for each package that the named ones
// import too, and those say nothing.
func refuse(args []string, err error) {
	var unit struct{ VetxOnly bool }
	data, readErr := os.ReadFile(args[len(args)-1])
	if readErr == nil && json.Unmarshal(data, &unit) == nil && unit.VetxOnly {
		os.Exit(exitClean)
	}
	fmt.Fprintf(os.Stderr, "locklint: %v\n", err)
	os.Exit(exitFailed)
}
