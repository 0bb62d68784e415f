package crosstest

import (
	"fmt"
	"go/types"
	"reflect"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/packages"

	"github.com/locklint/locklint"
	"github.com/locklint/locklint/internal/config"
)

// A runner runs the analyzers of the suite over one package, by hand, so that what
// is measured is their Run and nothing of a driver.
type runner struct {
	order   []*analysis.Analyzer
	pkg     *packages.Package
	results map[*analysis.Analyzer]any
}

func newRunner(cfg config.Config, pkg *packages.Package) *runner {
	r := &runner{pkg: pkg, results: map[*analysis.Analyzer]any{}}
	seen := map[*analysis.Analyzer]bool{}
	var visit func(a *analysis.Analyzer)
	visit = func(a *analysis.Analyzer) {
		if seen[a] {
			return
		}
		seen[a] = true
		for _, req := range a.Requires {
			visit(req)
		}
		r.order = append(r.order, a)
	}
	for _, a := range locklint.Analyzers(&cfg) {
		visit(a)
	}
	return r
}

func (r *runner) run(tb testing.TB, a *analysis.Analyzer) int {
	n := 0
	facts := map[types.Object]analysis.Fact{}
	pass := &analysis.Pass{
		Analyzer: a, Fset: r.pkg.Fset, Files: r.pkg.Syntax, Pkg: r.pkg.Types, TypesInfo: r.pkg.TypesInfo, TypesSizes: r.pkg.TypesSizes,
		Module:   &analysis.Module{Path: "example.com/m"},
		ResultOf: r.results,
		Report:   func(analysis.Diagnostic) { n++ },
		ImportObjectFact: func(o types.Object, f analysis.Fact) bool {
			have := facts[o]
			if have != nil {
				reflect.ValueOf(f).Elem().Set(reflect.ValueOf(have).Elem())
			}
			return have != nil
		},
		ExportObjectFact: func(o types.Object, f analysis.Fact) { facts[o] = f },
		AllObjectFacts:   func() []analysis.ObjectFact { return nil },
	}
	res, err := a.Run(pass)
	if err != nil {
		tb.Fatal(err)
	}
	r.results[a] = res
	return n
}

// suite runs everything but inspect, which every program that runs analyzers pays
// for once.
func (r *runner) suite(tb testing.TB) int {
	n := 0
	for _, a := range r.order {
		if a != inspect.Analyzer {
			n += r.run(tb, a)
		}
	}
	return n
}

// The packages that are measured, type-checked once.
var (
	plain = sync.OnceValues(func() (*packages.Package, error) { return measured(plainSource()) })
	fifty = sync.OnceValues(func() (*packages.Package, error) { return measured(lockSource(50)) })
)

func measured(src string) (*packages.Package, error) {
	p, err := universe.Package("example.com/m/p", src)
	if err == nil && p.IllTyped {
		err = p.TypeErrors[0]
	}
	return p, err
}

// plainSource is a package of 400 functions without Redis.
func plainSource() string {
	var b strings.Builder
	b.WriteString("package p\n\nimport (\n\t\"fmt\"\n\t\"strings\"\n)\n\ntype T struct{ m map[string]int; names []string }\n")
	for i := range 400 {
		fmt.Fprintf(&b, `
func (t *T) f%[1]d(a, b string, n int) (out []string, err error) {
	for i, s := range t.names {
		switch key := a + ":" + s; {
		case i > n:
			out = append(out, fmt.Sprintf("%%s-%%d", key, t.m[key]))
		case strings.Contains(s, b):
			defer func() { t.m[key]++ }()
		default:
			if _, err = t.f%[2]d(b, s, i); err != nil {
				return nil, fmt.Errorf("f: %%w", err)
			}
		}
	}
	return out, nil
}
`, i, (i+1)%400)
	}
	return b.String()
}

// lockSource is a package of n locks with a fault each.
func lockSource(n int) string {
	var b strings.Builder
	b.WriteString("package p\n\nimport (\n\t\"context\"\n\t\"time\"\n\n\t\"github.com/redis/go-redis/v9\"\n)\n\nvar work func() error\n")
	for i := range n {
		fmt.Fprintf(&b, `
func f%[1]d(ctx context.Context, rdb *redis.Client, id string) error {
	key := "lock:%[1]d:" + id
	ok, err := rdb.SetNX(ctx, key, "1", 30*time.Second).Result()
	if err != nil || !ok {
		return err
	}
	defer func() { rdb.Del(ctx, key) }()
	return work()
}
`, i)
	}
	return b.String()
}

// A package without Redis costs next to nothing: what the suite allocates does not
// grow with the package.
func TestPlainCost(t *testing.T) {
	pkg, err := plain()
	if err != nil {
		t.Fatal(err)
	}
	r := newRunner(locklint.DefaultConfig(), pkg)
	r.run(t, inspect.Analyzer)
	if n := r.suite(t); n != 0 {
		t.Fatalf("%d reports without Redis", n)
	}
	allocs := testing.AllocsPerRun(5, func() { r.suite(t) })
	index := testing.AllocsPerRun(5, func() { r.run(t, inspect.Analyzer) })
	t.Logf("%.0f allocations for 400 functions; the inspect pass alone: %.0f", allocs, index)
	if allocs > 200 {
		t.Errorf("%.0f allocations for a package without Redis", allocs)
	}
}

func BenchmarkPlain(b *testing.B) {
	pkg, err := plain()
	if err != nil {
		b.Fatal(err)
	}
	r := newRunner(locklint.DefaultConfig(), pkg)
	r.run(b, inspect.Analyzer)
	b.Run("suite", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			r.suite(b)
		}
	})
	b.Run("inspect", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			r.run(b, inspect.Analyzer)
		}
	})
}

func BenchmarkFiftyLocks(b *testing.B) {
	pkg, err := fifty()
	if err != nil {
		b.Fatal(err)
	}
	r := newRunner(locklint.DefaultConfig(), pkg)
	r.run(b, inspect.Analyzer)
	if n := r.suite(b); n < 50 {
		b.Fatalf("%d reports for 50 locks", n)
	}
	b.ReportAllocs()
	for b.Loop() {
		r.suite(b)
	}
}

// Ten times the locks cost about ten times as much, not a hundred times.
func BenchmarkLocks(b *testing.B) {
	for _, n := range []int{5, 50, 500} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			pkg, err := measured(lockSource(n))
			if err != nil {
				b.Fatal(err)
			}
			r := newRunner(locklint.DefaultConfig(), pkg)
			r.run(b, inspect.Analyzer)
			b.ReportAllocs()
			for b.Loop() {
				r.suite(b)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/lock")
		})
	}
}
