// Package load finds the packages in which a Redis lock can be and type-checks
// those alone.
//
// Metadata comes first: one "go list" without compiling. Only packages that can
// hold a lock, or that import one which can, are then type-checked from source
// (the cone); what they import from outside comes from export data. A module
// without such a package ends after the metadata.
package load

import (
	"crypto/sha256"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/packages"
)

// Options say what to load. Patterns are as for the go command and relative to
// the current directory.
type Options struct {
	Patterns []string
	Tags     string // build tags, as for go build -tags
	Tests    bool   // also the packages made of _test.go files
	MayHold  MayHold
	// Progress, if not nil, is told what begins.
	Progress func(string)
}

// A Program is what was loaded.
type Program struct {
	// Listed counts the packages that the patterns name.
	Listed int
	// Roots are the named packages that may hold a lock, type-checked from source.
	// Their Imports hold other packages from source only, so that an analysis of
	// the roots and their imports never meets a package without syntax.
	Roots []*packages.Package
	// Errors are about packages that could not be listed, parsed or
	// type-checked, once each.
	Errors []packages.Error

	sums sync.Map // file name -> [sha256.Size]byte of what was parsed
}

// Unchanged reports whether content is what was analysed of the file.
func (prog *Program) Unchanged(file string, content []byte) bool {
	sum, ok := prog.sums.Load(file)
	return ok && sum == sha256.Sum256(content)
}

func (prog *Program) parse(fset *token.FileSet, file string, src []byte) (*ast.File, error) {
	prog.sums.Store(file, sha256.Sum256(src))
	return parser.ParseFile(fset, file, src, parser.AllErrors|parser.ParseComments)
}

const (
	metadata = packages.NeedName | packages.NeedFiles | packages.NeedImports |
		packages.NeedDeps | packages.NeedModule | packages.NeedForTest
	// source is packages.LoadSyntax: syntax and types of what the patterns name,
	// export data for the rest.
	source = packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedModule |
		packages.NeedForTest | packages.NeedCompiledGoFiles | packages.NeedTypes |
		packages.NeedTypesSizes | packages.NeedSyntax | packages.NeedTypesInfo
)

// Load loads the cone of the packages that the patterns name. It fails if
// nothing could be listed or nothing matched; what is wrong with single packages
// is in Program.Errors.
func Load(o Options) (*Program, error) {
	for _, p := range o.Patterns {
		if strings.HasPrefix(p, "-") {
			return nil, fmt.Errorf("flags go before the packages: %s", p)
		}
	}
	o.tell("listing packages")
	cfg := &packages.Config{Mode: metadata, Tests: o.Tests}
	if o.Tags != "" {
		cfg.BuildFlags = []string{"-tags=" + o.Tags}
	}
	listed, err := packages.Load(cfg, o.Patterns...)
	if err != nil {
		return nil, listError(err)
	}
	if len(listed) == 0 {
		return nil, fmt.Errorf("%s matched no packages", strings.Join(o.Patterns, " "))
	}
	prog := &Program{Listed: countListed(listed)}
	prog.addErrors(listed)
	if len(prog.Errors) > 0 && !inModule() {
		prog.Errors = append(prog.Errors, packages.Error{
			Msg: "there is no go.mod here or above: run inside of a module, or name .go files",
		})
	}

	in := coneOf(listed, o.MayHold)
	named := map[string]bool{}
	for _, p := range listed {
		named[p.ID] = in.holds[p.ID]
	}
	if !slices.ContainsFunc(listed, func(p *packages.Package) bool { return named[p.ID] }) {
		return prog, nil
	}

	paths := patternsOf(listed, in)
	cfg.Mode = source
	cfg.ParseFile = prog.parse
	if slices.ContainsFunc(o.Patterns, isFile) {
		// Files make a package that no import path names, and cannot be mixed with
		// patterns: let everything come from source.
		paths = o.Patterns
		cfg.Mode |= packages.NeedDeps
	}
	o.tell(fmt.Sprintf("type-checking %d of %d packages", len(paths), prog.Listed))
	loaded, err := packages.Load(cfg, paths...)
	if err != nil {
		return nil, listError(err)
	}
	prog.addErrors(loaded)
	prog.Roots = roots(loaded, named)
	trim(prog.Roots)
	return prog, nil
}

func (o *Options) tell(what string) {
	if o.Progress != nil {
		o.Progress(what)
	}
}

// roots picks the packages that the user named. A package is left out if its
// test variant, which has the same files and more, is there too.
func roots(loaded []*packages.Package, named map[string]bool) []*packages.Package {
	variant := map[string]bool{}
	for _, p := range loaded {
		if named[p.ID] && p.ForTest == p.PkgPath {
			variant[p.PkgPath] = true
		}
	}
	var roots []*packages.Package
	for _, p := range loaded {
		if named[p.ID] && p.Types != nil && !isTestMain(p) && (p.ForTest != "" || !variant[p.PkgPath]) {
			roots = append(roots, p)
		}
	}
	return roots
}

// trim takes the imports without syntax away, all along the graph.
func trim(roots []*packages.Package) {
	seen := map[*packages.Package]bool{}
	var visit func(p *packages.Package)
	visit = func(p *packages.Package) {
		if seen[p] {
			return
		}
		seen[p] = true
		for path, imp := range p.Imports {
			if imp.TypesInfo == nil {
				delete(p.Imports, path)
				continue
			}
			visit(imp)
		}
	}
	for _, p := range roots {
		visit(p)
	}
}

// patternsOf gives the import paths of the cone's packages. The packages that the
// user did not name are among them: their syntax holds the facts.
func patternsOf(listed []*packages.Package, in cone) []string {
	paths := map[string]bool{}
	packages.Visit(listed, nil, func(p *packages.Package) {
		if !in.has(p) || isTestMain(p) {
			return
		}
		if p.ForTest != "" {
			paths[p.ForTest] = true
		} else {
			paths[p.PkgPath] = true
		}
	})
	return sortedKeys(paths)
}

// countListed counts packages as a user does: test variants are not their own.
func countListed(listed []*packages.Package) int {
	paths := map[string]bool{}
	for _, p := range listed {
		if !isTestMain(p) {
			paths[p.PkgPath] = true
		}
	}
	return len(paths)
}

// isTestMain reports whether p is the main package that go test generates.
func isTestMain(p *packages.Package) bool {
	return p.Name == "main" && strings.HasSuffix(p.ID, ".test") && strings.HasSuffix(p.PkgPath, ".test")
}

func isFile(pattern string) bool {
	return strings.HasSuffix(pattern, ".go") || strings.HasPrefix(pattern, "file=")
}
