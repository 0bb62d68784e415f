// Package typetest type-checks sources that are written down in a test against real
// packages.
package typetest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// A Universe holds the packages that sources may import. Load one for a test binary
// and share it; it is safe for concurrent use.
type Universe struct {
	Fset  *token.FileSet
	pkgs  map[string]*types.Package
	sizes types.Sizes
}

// New loads the types of the packages that sources may import.
func New(dir string, paths ...string) (*Universe, error) {
	u := &Universe{Fset: token.NewFileSet(), pkgs: map[string]*types.Package{"unsafe": types.Unsafe}}
	loaded, err := packages.Load(&packages.Config{Mode: packages.LoadTypes, Dir: dir, Fset: u.Fset}, paths...)
	if err != nil {
		return nil, err
	}
	for _, p := range loaded {
		if len(p.Errors) > 0 {
			return nil, p.Errors[0]
		}
		u.pkgs[p.PkgPath] = p.Types
		u.sizes = p.TypesSizes
	}
	return u, nil
}

// Import returns a package of the universe.
func (u *Universe) Import(path string) (*types.Package, error) {
	if p := u.pkgs[path]; p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("package %s is not in the universe of the test", path)
}

// Package type-checks a package of sources, file0.go and so on. What is wrong with
// them is in TypeErrors; the error is about syntax. The last file is parsed first, so
// that a test shows where something depends on the order of positions in different
// files: a real loader parses them concurrently. A file whose first line is
// "//name x_test.go" has that name.
func (u *Universe) Package(path string, sources ...string) (*packages.Package, error) {
	p := &packages.Package{
		ID: path, PkgPath: path, Fset: u.Fset, TypesSizes: u.sizes,
		Module: &packages.Module{Path: "example.com/m", GoVersion: "1.26"},
		TypesInfo: &types.Info{
			Types:      map[ast.Expr]types.TypeAndValue{},
			Defs:       map[*ast.Ident]types.Object{},
			Uses:       map[*ast.Ident]types.Object{},
			Implicits:  map[ast.Node]types.Object{},
			Instances:  map[*ast.Ident]types.Instance{},
			Scopes:     map[ast.Node]*types.Scope{},
			Selections: map[*ast.SelectorExpr]*types.Selection{},
		},
	}
	p.Syntax = make([]*ast.File, len(sources))
	for i := len(sources) - 1; i >= 0; i-- {
		name := fmt.Sprintf("file%d.go", i)
		if line, _, _ := strings.Cut(sources[i], "\n"); strings.HasPrefix(line, "//name ") {
			name = strings.TrimPrefix(line, "//name ")
		}
		f, err := parser.ParseFile(u.Fset, name, sources[i], parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		p.Syntax[i] = f
		p.Name = f.Name.Name
	}
	cfg := types.Config{
		Importer: u, Sizes: u.sizes, GoVersion: "go1.26", FakeImportC: true,
		Error: func(err error) {
			if te, ok := err.(types.Error); ok {
				p.TypeErrors = append(p.TypeErrors, te)
			}
		},
	}
	p.Types, _ = cfg.Check(path, u.Fset, p.Syntax, p.TypesInfo)
	p.IllTyped = len(p.TypeErrors) > 0
	return p, nil
}

// MustPackage is Package for sources that are meant to be right.
func (u *Universe) MustPackage(t testing.TB, path string, sources ...string) *packages.Package {
	t.Helper()
	p, err := u.Package(path, sources...)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range p.TypeErrors {
		t.Fatalf("%s: %v\n%s", u.Fset.Position(e.Pos), e.Msg, strings.Join(sources, "\n"))
	}
	return p
}
