// Package linttest runs a pass over packages of testdata/src against the real
// client libraries.
package linttest

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/locklint/locklint"
	"github.com/locklint/locklint/internal/config"
)

// Root returns the folder of the module.
func Root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			t.Fatal("no go.mod above the test")
		}
		dir = up
	}
}

// Packages lists the packages below folders of testdata/src, as patterns for the
// module's root.
func Packages(t testing.TB, folders ...string) []string {
	t.Helper()
	root := Root(t)
	seen := map[string]bool{}
	for _, folder := range folders {
		top := filepath.Join(root, "testdata", "src", filepath.FromSlash(folder))
		err := filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if strings.HasSuffix(path, ".go") {
				rel, err := filepath.Rel(root, filepath.Dir(path))
				if err != nil {
					return err
				}
				seen["./"+filepath.ToSlash(rel)] = true
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(seen) == 0 {
		t.Fatalf("no packages in %v", folders)
	}
	return slices.Sorted(maps.Keys(seen))
}

// Pass returns one pass of the suite, with messages that begin with the kind.
func Pass(t testing.TB, cfg config.Config, name string) *analysis.Analyzer {
	t.Helper()
	cfg.Prefix = config.PrefixKind
	for _, a := range locklint.Analyzers(&cfg) {
		if a.Name == name {
			return a
		}
	}
	t.Fatalf("there is no pass %s", name)
	return nil
}

// Run runs a pass, as it is by default, over the packages below folders of
// testdata/src and over those of cross that name it, and compares its reports with
// their want comments.
func Run(t *testing.T, pass string, folders ...string) {
	t.Helper()
	cfg := config.Default()
	cfg.Fixes = config.FixesNone
	analysistest.Run(t, Root(t), Pass(t, cfg, pass), append(Packages(t, folders...), Directed(t, "cross", pass)...)...)
}

// Directed lists the packages below a folder of testdata/src whose files say, in a
// first line "//locklint:test passes=a,b", that a pass runs on them.
func Directed(t testing.TB, folder, pass string) []string {
	t.Helper()
	var out []string
	for _, p := range Packages(t, folder) {
		files, err := filepath.Glob(filepath.Join(Root(t), p, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			line, _, _ := strings.Cut(string(text), "\n")
			passes, ok := strings.CutPrefix(line, "//locklint:test passes=")
			if ok && strings.Contains(","+strings.TrimSpace(passes)+",", ","+pass+",") {
				out = append(out, p)
				break
			}
		}
	}
	if len(out) == 0 {
		t.Fatalf("no package below %s names the pass %s", folder, pass)
	}
	return out
}
