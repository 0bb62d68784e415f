// Package locklint finds misuse of Redis locks in Go code at compile time.
//
// Analyzers returns the passes; every front end (cmd/locklint, the golangci-lint
// plugin, a multichecker of your own) runs that one list.
package locklint

import (
	"golang.org/x/tools/go/analysis"

	"github.com/locklint/locklint/internal/config"
	"github.com/locklint/locklint/internal/rewrite"
	"github.com/locklint/locklint/passes/baredel"
	"github.com/locklint/locklint/passes/constvalue"
	"github.com/locklint/locklint/passes/setnxexpire"
)

// Config is every setting of the passes.
type Config = config.Config

// DefaultConfig returns the settings in force when nothing is set.
func DefaultConfig() Config { return config.Default() }

// Analyzers returns the passes. They share one analysis of the locks of a
// package, and one plan of edits for each lock, and read cfg when they run, so a
// program may bind flags to it first.
func Analyzers(cfg *Config) []*analysis.Analyzer {
	plans := rewrite.New(cfg)
	return []*analysis.Analyzer{
		setnxexpire.New(cfg, plans),
		baredel.New(cfg, plans),
		constvalue.New(cfg, plans),
	}
}
