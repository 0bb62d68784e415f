package load

import (
	"go/ast"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/txtar"
)

// The module that most tests load. The client is a stand-in.
const module = `
-- go.mod --
module m

go 1.26

require example.com/redis v1.0.0

replace example.com/redis => ./redis
-- redis/go.mod --
module example.com/redis

go 1.26
-- redis/redis.go --
package redis

func SetNX() {}
-- direct/a.go --
package direct

import "example.com/redis"

func Lock() { redis.SetNX() }
-- importer/a.go --
package importer

import (
	"m/direct"
	"m/keys"
	"m/texts"
)

func Run() { direct.Lock(); _ = keys.Of("a"); _ = texts.Other }
-- keys/a.go --
package keys

func Of(id string) string { return "lock:" + id }
-- texts/a.go --
package texts

const Other = 1

func Name(id string) string { return "name:" + id }
-- iface/a.go --
package iface

type Store interface {
	SetNX(key string) bool
}
-- method/a.go --
package method

type SetNX struct{}

func (SetNX) SetNX() {}
-- comment/a.go --
package comment

// look here
-- commented/a.go --
package commented

import _ "m/comment"
-- plain/a.go --
package plain

import "fmt"

func Broken() { fmt.Println(undefined) }
`

var mayHold = MayHold{
	Clients: []string{"example.com/redis"},
	Methods: []string{"SetNX"},
	Comment: "// look here",
	Helper: func(d *ast.FuncDecl) bool {
		r := d.Type.Results
		return r != nil && len(r.List) == 1
	},
}

// in extracts an archive and makes it the current directory.
func in(t *testing.T, archive string) {
	t.Helper()
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(archive)).Files {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	t.Setenv("GOFLAGS", "-mod=mod")
	t.Setenv("GOPROXY", "off")
}

func paths(pkgs []*packages.Package) string {
	var list []string
	for _, p := range pkgs {
		list = append(list, p.PkgPath)
	}
	slices.Sort(list)
	return strings.Join(list, " ")
}

func TestCone(t *testing.T) {
	in(t, module)
	prog, err := Load(Options{Patterns: []string{"./..."}, MayHold: mayHold})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := paths(prog.Roots), "m/comment m/direct m/iface m/importer"; got != want {
		t.Errorf("roots are %s, want %s", got, want)
	}
	if prog.Listed != 9 {
		t.Errorf("%d packages listed, want 9", prog.Listed)
	}
	// What is not in the cone is not type-checked: nobody sees that it is broken.
	if len(prog.Errors) > 0 {
		t.Errorf("errors: %v", prog.Errors)
	}
	i := slices.IndexFunc(prog.Roots, func(p *packages.Package) bool { return p.PkgPath == "m/importer" })
	if got := slices.Sorted(maps.Keys(prog.Roots[i].Imports)); strings.Join(got, " ") != "m/direct m/keys" {
		t.Errorf("the imports with syntax are %v, want m/direct and m/keys", got)
	}
}

// TestSyntax pins what the analysis driver needs and does not promise to do without:
// each package that it can reach has syntax and types.
func TestSyntax(t *testing.T) {
	in(t, module)
	for _, patterns := range [][]string{{"./importer"}, {"./importer/a.go"}, {"./..."}} {
		prog, err := Load(Options{Patterns: patterns, MayHold: mayHold, Tests: true})
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		packages.Visit(prog.Roots, nil, func(p *packages.Package) {
			n++
			if len(p.Syntax) == 0 && len(p.GoFiles) > 0 || p.TypesInfo == nil || p.Types == nil || !p.Types.Complete() {
				t.Errorf("%v: %s comes without syntax or types", patterns, p.ID)
			}
		})
		if n < 3 {
			t.Errorf("%v: %d packages, want at least the importer, what it imports and the keys", patterns, n)
		}
		for _, p := range prog.Roots {
			for _, e := range p.TypeErrors {
				t.Errorf("%v: %v", patterns, e)
			}
		}
	}
}

// TestWithout: a module without a candidate ends after the list.
func TestWithout(t *testing.T) {
	in(t, module)
	var steps []string
	prog, err := Load(Options{
		Patterns: []string{"./plain", "./method"}, MayHold: mayHold,
		Progress: func(s string) { steps = append(steps, s) },
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(prog.Roots) > 0 || len(prog.Errors) > 0 || len(steps) != 1 {
		t.Errorf("roots %v, errors %v, steps %q; want the list and nothing more", prog.Roots, prog.Errors, steps)
	}
}

// TestVariants: a package is a root once, with its tests; what is recompiled for
// somebody's test has syntax too.
func TestVariants(t *testing.T) {
	in(t, `
-- go.mod --
module m

go 1.26
-- p/p.go --
package p

type Store interface {
	SetNX(key string) bool
}
-- p/p_test.go --
package p

type inTest struct{}

var ForTest inTest
-- p/x_test.go --
package p_test

import (
	"m/p"
	"m/q"
)

var _ = q.Store
var _ = p.ForTest
-- q/q.go --
package q

import "m/p"

var Store p.Store
`)
	prog, err := Load(Options{Patterns: []string{"./..."}, MayHold: mayHold, Tests: true})
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	packages.Visit(prog.Roots, nil, func(p *packages.Package) {
		if len(p.Errors) > 0 {
			t.Errorf("%s: %v", p.ID, p.Errors)
		}
	})
	for _, p := range prog.Roots {
		ids = append(ids, p.ID)
	}
	slices.Sort(ids)
	if got, want := strings.Join(ids, ", "), "m/p [m/p.test], m/p_test [m/p.test], m/q"; got != want {
		t.Errorf("roots are %s\nwant %s", got, want)
	}
}

func TestUnchanged(t *testing.T) {
	in(t, module)
	prog, err := Load(Options{Patterns: []string{"./direct"}, MayHold: mayHold})
	if err != nil {
		t.Fatal(err)
	}
	file, err := filepath.Abs("direct/a.go")
	if err != nil {
		t.Fatal(err)
	}
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !prog.Unchanged(file, src) {
		t.Error("the content that was parsed counts as changed")
	}
	if prog.Unchanged(file, append(src, '\n')) || prog.Unchanged("/other", src) {
		t.Error("another content, or another file, counts as unchanged")
	}
}
