package locks

import (
	"fmt"
	"go/ast"
	"go/types"
	"reflect"
	"runtime/debug"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"

	"github.com/locklint/locklint/internal/config"
	"github.com/locklint/locklint/internal/rediscmd"
)

// Name is the name of the analyzer.
const Name = "redislocks"

// Result is what the passes see of a package.
type Result struct {
	Locks []*Lock
	// BadArgs are calls of SETNX with options that it does not take.
	BadArgs []*Effect

	c *collector
}

// New returns the analyzer that finds the locks of a package. Passes that are
// meant to agree must share one instance.
func New(cfg *config.Config) *analysis.Analyzer {
	return &analysis.Analyzer{
		Name:       Name,
		Doc:        "redislocks: find the Redis locks of a package, for the passes that judge them",
		Requires:   []*analysis.Analyzer{inspect.Analyzer},
		ResultType: reflect.TypeFor[*Result](),
		FactTypes:  []analysis.Fact{new(summary)},
		Run: func(pass *analysis.Pass) (res any, err error) {
			defer func() {
				// A bug here must not take the findings of other packages along.
				if r := recover(); r != nil {
					err = fmt.Errorf("internal error: %v: please report it with the code of %s\n%s", r, pass.Pkg.Path(), debug.Stack())
				}
			}()
			return run(pass, cfg)
		},
		// A package may be fine though one that it imports is not; one with errors
		// of its own is left alone.
		RunDespiteErrors: true,
	}
}

func run(pass *analysis.Pass, cfg *config.Config) (*Result, error) {
	if rediscmd.LibraryOf(pass.Pkg.Path()) != nil || len(pass.TypeErrors) > 0 {
		return &Result{}, nil
	}
	if !mayHold(pass, cfg) {
		keyHelpers(pass)
		return &Result{}, nil
	}
	c := newCollector(pass, cfg)
	c.collect()
	c.summarise()
	res := &Result{Locks: c.locks(), c: c}
	c.supply(res.Locks)
	c.exportFacts()
	for _, f := range c.funcs {
		for _, e := range f.Effects {
			if e.BadArgs && !c.ignored(f) {
				res.BadArgs = append(res.BadArgs, e)
			}
		}
	}
	return res, nil
}

// Reaches reports whether a package reaches a client library by its imports.
func Reaches(pkg *types.Package) bool {
	seen := map[*types.Package]bool{}
	var visit func(p *types.Package) bool
	visit = func(p *types.Package) bool {
		if seen[p] {
			return false
		}
		seen[p] = true
		if rediscmd.LibraryOf(p.Path()) != nil {
			return true
		}
		for _, i := range p.Imports() {
			if visit(i) {
				return true
			}
		}
		return false
	}
	return visit(pkg)
}

// FileOf returns the file an effect stands in.
func (r *Result) FileOf(e *Effect) *ast.File {
	for _, f := range r.c.pass.Files {
		if f.FileStart <= e.Pos() && e.Pos() <= f.FileEnd {
			return f
		}
	}
	return nil
}
