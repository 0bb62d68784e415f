package locks_test

import (
	"bytes"
	"encoding/gob"
	"flag"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/locklint/locklint/internal/config"
	"github.com/locklint/locklint/internal/locks"
	"github.com/locklint/locklint/internal/typetest"
)

var update = flag.Bool("update", false, "write the golden files")

const (
	root   = "../.."
	prefix = "github.com/locklint/locklint/testdata/src/"
)

// testdata holds the packages of testdata/src, loaded once for all tests. All comes
// from source: export data would have to be compiled first, in each new checkout.
// Imports are cut to testdata, as the program's loader cuts them to the cone.
var testdata = sync.OnceValues(func() (map[string]*packages.Package, error) {
	loaded, err := packages.Load(&packages.Config{Mode: packages.LoadAllSyntax | packages.NeedModule, Dir: root}, "./testdata/src/...")
	if err != nil {
		return nil, err
	}
	all := map[string]*packages.Package{}
	for _, p := range loaded {
		if len(p.Errors) > 0 {
			return nil, p.Errors[0]
		}
		all[strings.TrimPrefix(p.PkgPath, prefix)] = p
	}
	for _, p := range loaded {
		for imp, q := range p.Imports {
			if !strings.HasPrefix(q.PkgPath, prefix) {
				delete(p.Imports, imp)
			}
		}
	}
	return all, nil
})

// below lists the packages of a folder of testdata/src.
func below(t testing.TB, folder string) []*packages.Package {
	t.Helper()
	all, err := testdata()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for name := range all {
		if folder == "" || strings.HasPrefix(name, folder+"/") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	var out []*packages.Package
	for _, name := range names {
		out = append(out, all[name])
	}
	if len(out) == 0 {
		t.Fatalf("no package below testdata/src/%s", folder)
	}
	return out
}

// analyze runs the analysis of locks over packages, and checks the encoding of
// their facts.
func analyze(t testing.TB, cfg config.Config, pkgs ...*packages.Package) map[string]*locks.Result {
	t.Helper()
	graph, err := checker.Analyze([]*analysis.Analyzer{locks.New(&cfg)}, pkgs, &checker.Options{SanityCheck: true})
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]*locks.Result{}
	for _, act := range graph.Roots {
		if act.Err != nil {
			t.Fatalf("%s: %v", act.Package.PkgPath, act.Err)
		}
		out[act.Package.PkgPath] = act.Result.(*locks.Result)
	}
	return out
}

// The record of each of the twelve shapes of a lock.
func TestShapes(t *testing.T) {
	t.Parallel()
	results := analyze(t, config.Default(), below(t, "shapes")...)
	if len(results) != 12 {
		t.Errorf("%d shapes", len(results))
	}
	for name, res := range results {
		got := res.Debug()
		golden := filepath.Join("testdata", "shapes", path.Base(name)+".golden")
		if *update {
			if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Error(err)
			continue
		}
		if got != string(want) {
			t.Errorf("%s: the record has changed; if it is right, run the test with -update\ngot:\n%s\nwant:\n%s", name, got, want)
		}
	}
}

// universe type-checks sources written down here.
var universe = sync.OnceValues(func() (*typetest.Universe, error) {
	return typetest.New(root, "context", "errors", "fmt", "io", "log", "net/http", "os", "strconv", "strings", "sync", "time",
		"unsafe", "embed", "crypto/rand", "math/rand", "github.com/redis/go-redis/v9", "golang.org/x/sync/errgroup")
})

func sources(t testing.TB, texts ...string) *packages.Package {
	t.Helper()
	u, err := universe()
	if err != nil {
		t.Fatal(err)
	}
	return u.MustPackage(t, "example.com/m/p", texts...)
}

// Locks are told file by file, wherever the loader put the files in memory.
func TestFileOrder(t *testing.T) {
	t.Parallel()
	file := func(name string) string {
		return `package p

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
)

func ` + name + `(ctx context.Context, rdb *redis.Client) {
	if rdb.SetNX(ctx, "lock:` + name + `", "1", time.Minute).Val() {
		defer rdb.Del(ctx, "lock:` + name + `")
	}
}
`
	}
	got := record(t, sources(t, file("a"), file("b"), file("c")))
	a, b, c := strings.Index(got, "lock:a"), strings.Index(got, "lock:b"), strings.Index(got, "lock:c")
	if a < 0 || b < a || c < b {
		t.Errorf("locks of a, b, c at %d, %d, %d:\n%s", a, b, c, got)
	}
}

// record is everything that is found in packages, as text.
func record(t testing.TB, pkgs ...*packages.Package) string {
	t.Helper()
	results := analyze(t, config.Default(), pkgs...)
	var b strings.Builder
	for _, p := range pkgs {
		fmt.Fprintf(&b, "# %s\n%s", p.PkgPath, results[p.PkgPath].Debug())
	}
	return b.String()
}

// The same code gives the same record, whatever the order of the files.
func TestDeterminism(t *testing.T) {
	t.Parallel()
	pkgs := below(t, "")
	once := record(t, pkgs...)
	if again := record(t, pkgs...); again != once {
		t.Errorf("two runs differ:\n%s", firstDifference(once, again))
	}
	copies := map[*packages.Package]*packages.Package{}
	var reverse func(p *packages.Package) *packages.Package
	reverse = func(p *packages.Package) *packages.Package {
		if q := copies[p]; q != nil {
			return q
		}
		q := *p
		copies[p] = &q
		q.Syntax = slices.Clone(p.Syntax)
		slices.Reverse(q.Syntax)
		q.Imports = map[string]*packages.Package{}
		for path, imp := range p.Imports {
			q.Imports[path] = reverse(imp)
		}
		return &q
	}
	var reversed []*packages.Package
	for _, p := range pkgs {
		reversed = append(reversed, reverse(p))
	}
	if other := record(t, reversed...); other != once {
		t.Errorf("the order of the files shows:\n%s", firstDifference(once, other))
	}
}

func firstDifference(a, b string) string {
	al, bl := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(al), len(bl)) {
		if al[i] != bl[i] {
			from := max(0, i-6)
			return fmt.Sprintf("line %d\n- %s\n+ %s", i+1, strings.Join(al[from:i+1], "\n- "), strings.Join(bl[from:i+1], "\n+ "))
		}
	}
	return fmt.Sprintf("%d lines, %d lines", len(al), len(bl))
}

// Every fact that testdata makes an importer see survives gob unchanged, byte for
// byte.
func TestFacts(t *testing.T) {
	t.Parallel()
	cfg := config.Default()
	graph, err := checker.Analyze([]*analysis.Analyzer{locks.New(&cfg)}, below(t, ""), nil)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, act := range graph.Roots {
		for _, of := range act.AllObjectFacts() {
			if of.Object.Pkg() != act.Package.Types {
				continue
			}
			n++
			first := encode(t, of.Fact)
			for range 3 {
				if again := encode(t, of.Fact); !bytes.Equal(first, again) {
					t.Errorf("%s: the fact encodes in two ways", of.Object)
				}
			}
			decoded := newFact(t, cfg)
			if err := gob.NewDecoder(bytes.NewReader(first)).Decode(decoded); err != nil {
				t.Fatalf("%s: %v", of.Object, err)
			}
			if back := encode(t, decoded); !bytes.Equal(first, back) {
				t.Errorf("%s: the fact changes when it is decoded and encoded:\n%s\n%s", of.Object, of.Fact, decoded)
			}
			if fmt.Sprint(of.Fact) != fmt.Sprint(decoded) {
				t.Errorf("%s: %s became %s", of.Object, of.Fact, decoded)
			}
		}
	}
	if n < 100 {
		t.Errorf("only %d facts", n)
	}
}

// newFact makes an empty fact of the analyzer's one type.
func newFact(t testing.TB, cfg config.Config) analysis.Fact {
	types := locks.New(&cfg).FactTypes
	if len(types) != 1 {
		t.Fatalf("%d types of facts", len(types))
	}
	return types[0] // New makes another one each time
}

func encode(t testing.TB, f analysis.Fact) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(f); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
