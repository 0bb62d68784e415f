// Package shared holds what the Analyzer variables of the passes have in common.
// Drivers that take variables and not a constructor (nogo of Bazel, a multichecker
// of somebody's own) run them together, so they must share one analysis of locks.
package shared

import (
	"golang.org/x/tools/go/analysis"

	"github.com/locklint/locklint/internal/config"
	"github.com/locklint/locklint/internal/locks"
)

var (
	cfg = func() config.Config {
		c := config.Default()
		c.Prefix = config.PrefixKind // these drivers print the name of the pass
		return c
	}()
	found = locks.New(&cfg)
)

// New makes the Analyzer variable of a pass. Its flags are the settings; they are
// the same for all passes, so that one set on one pass holds for all.
func New(pass func(*config.Config, *analysis.Analyzer) *analysis.Analyzer) *analysis.Analyzer {
	a := pass(&cfg, found)
	cfg.Bind(&a.Flags)
	return a
}
