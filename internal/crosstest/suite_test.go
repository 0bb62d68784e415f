package crosstest

import (
	"fmt"
	"os"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/locklint/locklint"
	"github.com/locklint/locklint/internal/config"
	"github.com/locklint/locklint/internal/typetest"
)

const root = "../.."

var universe *typetest.Universe

func TestMain(m *testing.M) {
	u, err := typetest.New(root, "bytes", "context", "crypto/rand", "embed", "errors", "fmt", "io", "log", "math/rand", "net/http", "os",
		"sort", "strconv", "strings", "sync", "sync/atomic", "testing", "time", "unsafe",
		"github.com/redis/go-redis/v9", "github.com/go-redis/redis/v8", "github.com/go-redis/redis/v7", "github.com/go-redis/redis",
		"github.com/bsm/redislock", "github.com/go-redsync/redsync/v4", "golang.org/x/sync/errgroup")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	universe = u
	os.Exit(m.Run())
}

// run runs the suite over a package and returns what it reports.
func run(t testing.TB, cfg config.Config, p *packages.Package) []analysis.Diagnostic {
	t.Helper()
	graph, err := checker.Analyze(locklint.Analyzers(&cfg), []*packages.Package{p}, &checker.Options{SanityCheck: true, Sequential: true})
	if err != nil {
		t.Fatal(err)
	}
	var all []analysis.Diagnostic
	for _, act := range graph.Roots {
		if act.Err != nil {
			t.Fatalf("%s: %v", act.Analyzer.Name, act.Err)
		}
		for _, d := range act.Diagnostics {
			check(t, p, d)
			all = append(all, d)
		}
	}
	return all
}

// check checks what holds for each diagnostic.
func check(t testing.TB, p *packages.Package, d analysis.Diagnostic) {
	t.Helper()
	at := p.Fset.Position(d.Pos)
	switch {
	case !d.Pos.IsValid() || !d.End.IsValid() || d.End < d.Pos:
		t.Errorf("%s: from %v to %v: %s", at, d.Pos, d.End, d.Message)
	case d.Category == "" || d.Message == "":
		t.Errorf("%s: no category or no text: %+v", at, d)
	case len(d.SuggestedFixes) > 1:
		t.Errorf("%s: %d fixes", at, len(d.SuggestedFixes))
	}
	for _, r := range d.Related {
		if !r.Pos.IsValid() || r.Message == "" {
			t.Errorf("%s: related position %+v", at, r)
		}
	}
	for _, f := range d.SuggestedFixes {
		for _, e := range f.TextEdits {
			if p.Fset.File(e.Pos) != p.Fset.File(d.Pos) {
				t.Errorf("%s: an edit in another file", at)
			}
		}
	}
}

// options is the settings with everything on, so that most code runs.
func options() config.Config {
	cfg := config.Default()
	cfg.Fixes = config.FixesAll
	cfg.Tests = true
	return cfg
}
