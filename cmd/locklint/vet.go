package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"

	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/locklint/locklint"
	"github.com/locklint/locklint/internal/config"
)

// vet speaks the protocol of go vet. Version and caching are the driver's own
// affair: a -V flag of ours would break both.
func vet(args []string) {
	cfg := locklint.DefaultConfig()
	if err := settings(&cfg, args); err != nil {
		refuse(args, err)
	}
	cfg = locklint.DefaultConfig()
	cfg.Prefix = config.PrefixPassKind
	cfg.Bind(flag.CommandLine)
	unitchecker.Main(analyzers(&cfg)...)
}

// settings reads those of the flags that are settings, as the go command writes
// flags: each in one word.
func settings(cfg *locklint.Config, args []string) error {
	fs := flag.NewFlagSet("locklint", flag.ContinueOnError)
	cfg.Bind(fs)
	for _, arg := range args {
		name, value, ok := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		if !ok || fs.Lookup(name) == nil {
			continue
		}
		if err := fs.Set(name, value); err != nil {
			return fmt.Errorf("-%s: %w", name, err)
		}
	}
	return nil
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
