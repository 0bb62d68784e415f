package pass

import (
	"golang.org/x/tools/go/analysis"

	"github.com/locklint/locklint/internal/config"
	"github.com/locklint/locklint/internal/rewrite"
)

// Drivers that take variables and not a constructor (nogo of Bazel, a multichecker
// of somebody's own) run the variables of the passes together, so these share one
// analysis of locks.
var (
	shared = func() config.Config {
		c := config.Default()
		c.Prefix = config.PrefixKind // these drivers print the name of the pass
		return c
	}()
	sharedPlans = rewrite.New(&shared)
)

// Variable makes the Analyzer variable of a pass. Its flags are the settings; they
// are the same for all passes, so that one set on one pass holds for all.
func Variable(newPass func(*config.Config, *analysis.Analyzer) *analysis.Analyzer) *analysis.Analyzer {
	a := newPass(&shared, sharedPlans)
	shared.Bind(&a.Flags)
	return a
}
