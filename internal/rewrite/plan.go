package rewrite

import (
	"go/ast"
	"go/token"
	"reflect"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/locklint/locklint/internal/config"
	"github.com/locklint/locklint/internal/locks"
)

// A Part is one of the faults of a lock that a plan removes.
type Part uint8

const (
	Expiry  Part = iota // created without an expiry
	Value               // the value does not tell holders apart, or is lost
	Owner               // freed or renewed without a check of the owner
	BadArgs             // SETNX with options
)

// Plans are the plans for the locks of a package.
type Plans struct {
	*locks.Result
	cfg   *config.Config
	plans map[*locks.Lock]*Plan
	bad   map[*ast.CallExpr]*Plan
}

// A Plan is all edits that make one lock right.
type Plan struct {
	// Safe plans keep all results; the others hold a decision, and are made with
	// -fixes=all only.
	Safe bool
	// Writers says that the stored value changes, so that all programs that use
	// the key have to be deployed together.
	Writers bool
	// untold: the value is no finding of its own, so the others say it.
	untold bool

	fix    analysis.SuggestedFix
	source *source
	edits  []edit
	draft  *draft // what the edits were made of
	// done are the calls at which a part is put right.
	done map[place]bool
	// why says why there is no edit for a part of a call.
	why map[place]string
}

type place struct {
	call token.Pos
	part Part
}

// New returns the analyzer that finds the locks of a package and plans their
// rewrites; its result is *Plans. Passes that are meant to agree must share one
// instance.
func New(cfg *config.Config) *analysis.Analyzer {
	found := locks.New(cfg)
	return &analysis.Analyzer{
		Name:       "redisrewrites",
		Doc:        "redisrewrites: plan the edits that make the Redis locks of a package right",
		Requires:   []*analysis.Analyzer{inspect.Analyzer, found},
		ResultType: reflect.TypeFor[*Plans](),
		// The analysis of locks leaves packages with errors of their own alone.
		RunDespiteErrors: true,
		Run: func(pass *analysis.Pass) (any, error) {
			res := pass.ResultOf[found].(*locks.Result)
			out := &Plans{Result: res, cfg: cfg, plans: map[*locks.Lock]*Plan{}, bad: map[*ast.CallExpr]*Plan{}}
			if cfg.Fixes == config.FixesNone || len(res.Locks)+len(res.BadArgs) == 0 {
				return out, nil
			}
			p := &planner{
				pass: pass, res: res, out: out, info: pass.TypesInfo,
				root:    pass.ResultOf[inspect.Analyzer].(*inspector.Inspector).Root(),
				sources: map[*ast.File]*source{},
				taken:   map[ast.Node]map[string]bool{},
			}
			p.all()
			return out, nil
		},
	}
}

// For returns the plan for a lock, nil if there is none.
func (p *Plans) For(l *locks.Lock) *Plan { return p.plans[l] }

// ForBadArgs returns the plan for a SETNX with options.
func (p *Plans) ForBadArgs(e *locks.Effect) *Plan { return p.bad[e.Call] }

// Fix returns the plan as the fix of one of the faults that it removes: part of
// the effect at which the fault is reported. Nil: no fix, or one that is not
// wanted by the settings.
func (p *Plans) Fix(plan *Plan, part Part, e *locks.Effect) *analysis.SuggestedFix {
	if plan == nil || e == nil || !plan.done[place{e.Call.Pos(), part}] || len(plan.fix.TextEdits) == 0 {
		return nil
	}
	return &plan.fix
}

// Advice is what a message adds to a fault: what to mind when the fix is applied,
// or why none is offered.
func (p *Plans) Advice(plan *Plan, part Part, e *locks.Effect) string {
	if plan == nil || e == nil {
		return ""
	}
	if p.Fix(plan, part, e) != nil {
		if plan.Writers && (part == Value || part == Owner && plan.untold) {
			return "; the fix changes the stored value: deploy all programs that use this key together"
		}
		return ""
	}
	at := place{e.Call.Pos(), part}
	switch w := plan.why[at]; w {
	case "":
		return ""
	case decision:
		return "; -fixes=all offers a fix, which holds a decision"
	default:
		return "; no fix is offered, for " + w
	}
}
