package locks

import (
	"reflect"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"

	"github.com/locklint/locklint/internal/config"
)

// Result is what the passes see of a package.
type Result struct{}

// New returns the analyzer that finds the locks of a package. Passes that share
// facts must share one instance.
func New(cfg *config.Config) *analysis.Analyzer {
	return &analysis.Analyzer{
		Name:       "redislocks",
		Doc:        "redislocks: find the Redis locks of a package, for the passes that judge them",
		Requires:   []*analysis.Analyzer{inspect.Analyzer},
		ResultType: reflect.TypeFor[*Result](),
		Run: func(pass *analysis.Pass) (any, error) {
			return &Result{}, nil
		},
	}
}
