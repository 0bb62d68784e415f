// Package pass makes analyzers of policies: what all passes have in common stands
// here, so that a pass holds nothing but its rule.
package pass

import (
	"golang.org/x/tools/go/analysis"

	"github.com/locklint/locklint/internal/config"
	"github.com/locklint/locklint/internal/passdoc"
	"github.com/locklint/locklint/internal/report"
	"github.com/locklint/locklint/internal/rewrite"
)

// A Policy reports what is wrong with the locks of a package.
type Policy func(*report.Reporter, *rewrite.Plans)

// New makes the analyzer of a pass. doc is the text of its doc.go; plans is what
// rewrite.New returned, one instance for all passes that run together.
func New(name, doc string, cfg *config.Config, plans *analysis.Analyzer, judge Policy) *analysis.Analyzer {
	return &analysis.Analyzer{
		Name:             name,
		Doc:              passdoc.Must(doc, name),
		URL:              passdoc.URL(name),
		Requires:         []*analysis.Analyzer{plans},
		RunDespiteErrors: true, // the analysis of locks leaves such packages alone
		Run: func(p *analysis.Pass) (any, error) {
			r := report.New(p, cfg)
			defer r.Done()
			judge(r, p.ResultOf[plans].(*rewrite.Plans))
			return nil, nil
		},
	}
}
