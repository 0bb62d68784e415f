package rewrite_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"go/format"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/locklint/locklint"
	"github.com/locklint/locklint/internal/apply"
	"github.com/locklint/locklint/internal/config"
	"github.com/locklint/locklint/internal/linttest"
	"github.com/locklint/locklint/internal/output"
	"github.com/locklint/locklint/internal/redistest"
)

var update = flag.Bool("update", false, "write the golden files")

// load type-checks the packages of testdata/src/fix, with other contents of files.
func load(t *testing.T, overlay map[string][]byte) []*packages.Package {
	t.Helper()
	pkgs, err := packages.Load(&packages.Config{
		Mode: packages.LoadAllSyntax | packages.NeedModule, Dir: linttest.Root(t), Overlay: overlay,
	}, "./testdata/src/fix/...")
	if err != nil {
		t.Fatal(err)
	}
	if len(pkgs) == 0 {
		t.Fatal("no packages")
	}
	for _, p := range pkgs {
		for _, e := range p.Errors {
			t.Errorf("%s: %v", p.PkgPath, e)
		}
		p.Imports = nil // no fact of another package matters here
	}
	if t.Failed() {
		t.FailNow()
	}
	return pkgs
}

// modeOf is the setting a package is tested with.
func modeOf(p *packages.Package) config.Fixes {
	if strings.HasSuffix(p.PkgPath, "/suggested") {
		return config.FixesAll
	}
	return config.FixesSafe
}

// run analyses packages with some of the passes, each package with its setting.
func run(t *testing.T, pkgs []*packages.Package, passes ...string) []output.Finding {
	t.Helper()
	var out []output.Finding
	for _, mode := range []config.Fixes{config.FixesSafe, config.FixesAll} {
		cfg := config.Default()
		cfg.Fixes = mode
		var analyzers []*analysis.Analyzer
		for _, a := range locklint.Analyzers(&cfg) {
			if len(passes) == 0 || slices.Contains(passes, a.Name) {
				analyzers = append(analyzers, a)
			}
		}
		var own []*packages.Package
		for _, p := range pkgs {
			if modeOf(p) == mode {
				own = append(own, p)
			}
		}
		graph, err := checker.Analyze(analyzers, own, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, act := range graph.Roots {
			if act.Err != nil {
				t.Errorf("%v: %v", act, act.Err)
			}
		}
		out = append(out, output.Collect(graph)...)
	}
	return out
}

func sources(t *testing.T) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(filepath.Join(linttest.Root(t), "testdata", "src", "fix"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".go") {
			out = append(out, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// goldens is what each file becomes: its golden file, or itself where there is none.
func goldens(t *testing.T) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	for _, file := range sources(t) {
		data, err := os.ReadFile(file + ".golden")
		if os.IsNotExist(err) {
			data, err = os.ReadFile(file)
		}
		if err != nil {
			t.Fatal(err)
		}
		out[file] = data
	}
	return out
}

func unchanged(string, []byte) bool { return true }

func TestGolden(t *testing.T) {
	findings := run(t, load(t, nil))
	res := apply.Plan(findings, unchanged)
	for _, err := range res.Errors {
		t.Error(err)
	}
	changed := map[string][]byte{}
	for _, c := range res.Changes {
		changed[c.File] = c.New
	}
	for _, file := range sources(t) {
		golden := file + ".golden"
		if *update {
			if changed[file] == nil {
				os.Remove(golden)
			} else if err := os.WriteFile(golden, changed[file], 0o666); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(golden)
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		if !bytes.Equal(want, changed[file]) {
			t.Errorf("%s: the fixes do not give %s; run with -update and look at the difference", file, filepath.Base(golden))
		}
	}

	// The edits alone, as a driver makes them that neither formats nor removes
	// imports, give the same.
	for file, want := range changed {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if got := edited(content, edits(findings, file)); !bytes.Equal(got, want) {
			t.Errorf("%s: the bare edits need formatting:\n%s", file, got)
		}
	}
}

// edits are the distinct edits of a file, in order.
func edits(findings []output.Finding, file string) []output.Edit {
	var out []output.Edit
	for _, f := range findings {
		for _, fix := range f.Fixes {
			for _, e := range fix.Edits {
				if e.File == file && !slices.Contains(out, e) {
					out = append(out, e)
				}
			}
		}
	}
	slices.SortStableFunc(out, func(a, b output.Edit) int {
		if a.Start != b.Start {
			return a.Start - b.Start
		}
		return a.End - b.End
	})
	return out
}

func edited(content []byte, edits []output.Edit) []byte {
	var b bytes.Buffer
	last := 0
	for _, e := range edits {
		b.Write(content[last:e.Start])
		b.WriteString(e.New)
		last = e.End
	}
	b.Write(content[last:])
	return b.Bytes()
}

// Each subset of the passes offers fixes of the full run, byte for byte, and the
// passes one by one offer all of them.
func TestSubsets(t *testing.T) {
	pkgs := load(t, nil)
	all := fixes(run(t, pkgs))
	single := map[string]bool{}
	names := []string{"setnxexpire", "baredel", "constvalue"}
	for set := 1; set < 1<<len(names)-1; set++ {
		var passes []string
		for i, n := range names {
			if set&(1<<i) != 0 {
				passes = append(passes, n)
			}
		}
		for f := range fixes(run(t, pkgs, passes...)) {
			if !all[f] {
				t.Errorf("%v offer a fix that all passes together do not:\n%s", passes, f)
			}
			if len(passes) == 1 {
				single[f] = true
			}
		}
	}
	for f := range all {
		if !single[f] {
			t.Errorf("no pass alone offers\n%s", f)
		}
	}
}

func fixes(findings []output.Finding) map[string]bool {
	out := map[string]bool{}
	for _, f := range findings {
		for _, fix := range f.Fixes {
			out[fmt.Sprintf("%s %+v", fix.Message, fix.Edits)] = true
		}
	}
	return out
}

// A second run offers nothing more, and reports no more than what had no fix.
func TestSecondRun(t *testing.T) {
	before := run(t, load(t, nil))
	after := run(t, load(t, goldens(t)))
	for _, f := range after {
		if len(f.Fixes) > 0 {
			t.Errorf("%s: a second run offers a fix: %s", f.Pos, f.Fixes[0].Message)
		}
	}
	count := func(findings []output.Finding, fixed bool) map[string]int {
		n := map[string]int{}
		for _, f := range findings {
			if fixed || len(f.Fixes) == 0 {
				n[f.Pos.Filename+" "+f.Kind]++
			}
		}
		return n
	}
	left, reported := count(before, false), count(after, true)
	for at, n := range reported {
		if n > left[at] {
			t.Errorf("%s: reported %d times after the fixes, %d had none", at, n, left[at])
		}
	}
}

// The golden files compile against the client libraries of this module, and are
// clean for gofmt and vet.
func TestVet(t *testing.T) {
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	for file, data := range goldens(t) {
		if formatted, err := format.Source(data); err != nil {
			t.Errorf("%s: %v", file, err)
		} else if !bytes.Equal(formatted, data) {
			t.Errorf("%s.golden is not formatted", file)
		}
		if _, err := os.Stat(file + ".golden"); err == nil {
			overlay.Replace[file] = file + ".golden"
		}
	}
	data, err := json.Marshal(overlay)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "overlay.json")
	if err := os.WriteFile(name, data, 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "vet", "-overlay="+name, "./testdata/src/fix/...")
	cmd.Dir = linttest.Root(t)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// oldest is the oldest release of go-redis v9 that is supported.
const oldest = "v9.0.2"

// The golden files compile against the oldest client too.
func TestOldest(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: compiles an old client")
	}
	files := map[string][]byte{
		"go.mod": []byte("module old\n\ngo 1.26.0\n\nrequire github.com/redis/go-redis/v9 " + oldest + "\n"),
	}
	top := filepath.Join(linttest.Root(t), "testdata", "src", "fix")
	for file, data := range goldens(t) {
		rel, err := filepath.Rel(top, file)
		if err != nil {
			t.Fatal(err)
		}
		if d := filepath.ToSlash(rel); !strings.HasPrefix(d, "legacy/") && !strings.HasPrefix(d, "lockruntime/") && !strings.HasPrefix(d, "retries/") && !strings.HasPrefix(d, "newer/") {
			files[rel] = data
		}
	}
	dir := t.TempDir()
	write(t, dir, files)
	env := append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
	get := exec.Command("go", "mod", "download", "github.com/redis/go-redis/v9")
	get.Dir, get.Env = dir, env
	if out, err := get.CombinedOutput(); err != nil {
		redistest.Missing(t, "go mod download cannot get go-redis %s: %v\n%s", oldest, err, out)
	}
	vet := exec.Command("go", "vet", "./...")
	vet.Dir, vet.Env = dir, env
	if out, err := vet.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
