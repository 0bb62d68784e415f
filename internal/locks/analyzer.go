package locks

import (
	"go/ast"
	"go/types"
	"reflect"

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
		Run: func(pass *analysis.Pass) (any, error) {
			return run(pass, cfg)
		},
		RunDespiteErrors: false,
	}
}

func run(pass *analysis.Pass, cfg *config.Config) (*Result, error) {
	if rediscmd.LibraryOf(pass.Pkg.Path()) != nil || !Reaches(pass.Pkg) {
		return &Result{}, nil
	}
	c := newCollector(pass, cfg)
	c.collect()
	if !c.any() {
		return &Result{}, nil
	}
	c.summarise()
	res := &Result{Locks: c.locks(), c: c}
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

// any reports whether there is an effect, or a call that may have one.
func (c *collector) any() bool {
	for _, f := range c.funcs {
		if len(f.Effects) > 0 {
			return true
		}
	}
	return len(c.pass.AllObjectFacts()) > 0
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
