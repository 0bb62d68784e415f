package output

import (
	"go/types"
	"slices"
	"sync"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"
)

// A Silenced collects what comments in the source keep silent while the passes run.
// Its methods may be called concurrently.
type Silenced struct {
	mu  sync.Mutex
	all []silenced
}

type silenced struct {
	pkg    *types.Package
	pass   string
	d      analysis.Diagnostic
	reason string
}

// Add notes a diagnostic that was not reported.
func (s *Silenced) Add(pass *analysis.Pass, d analysis.Diagnostic, reason string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all = append(s.all, silenced{pass.Pkg, pass.Analyzer.Name, d, reason})
}

// Collect returns what was noted about the root packages of graph, as Collect does
// with what was reported.
func (s *Silenced) Collect(graph *checker.Graph) []Suppressed {
	roots := map[*types.Package]*packages.Package{}
	for _, act := range graph.Roots {
		roots[act.Package.Types] = act.Package
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var found []Suppressed
	for _, one := range s.all {
		if p := roots[one.pkg]; p != nil {
			found = append(found, Suppressed{newFinding(p, one.pass, one.d), true, one.reason})
		}
	}
	slices.SortFunc(found, func(a, b Suppressed) int { return compare(a.Finding, b.Finding) })
	return slices.CompactFunc(found, func(a, b Suppressed) bool { return same(a.Finding, b.Finding) })
}
