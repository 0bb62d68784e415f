package e2e

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// corpus is what the passes are tested on: whatever they say there, all drivers
// must say.
const corpus = "./testdata/src/..."

// A said is one diagnostic: where, by which pass, and the text without the name of
// the pass.
type said struct{ posn, pass, text string }

func (s said) String() string { return s.posn + ": " + s.pass + "/" + s.text }

// jsonTree is what the drivers of x/tools print with -json.
type jsonTree map[string]map[string]json.RawMessage

// diagnostics reads one or more trees, and counts what they say.
func diagnostics(t *testing.T, dir, stdout string) map[said]int {
	t.Helper()
	count := map[said]int{}
	d := json.NewDecoder(strings.NewReader(stdout))
	for {
		var tree jsonTree
		if err := d.Decode(&tree); errors.Is(err, io.EOF) {
			return count
		} else if err != nil {
			t.Fatal(err)
		}
		for pkg, byPass := range tree {
			for pass, raw := range byPass {
				var list []struct{ Posn, Message string }
				if err := json.Unmarshal(raw, &list); err != nil {
					t.Fatalf("%s: %s: %s", pkg, pass, raw)
				}
				for _, d := range list {
					count[said{relative(dir, d.Posn), pass, strings.TrimPrefix(d.Message, pass+"/")}]++
				}
			}
		}
	}
}

func relative(dir, posn string) string {
	return strings.TrimPrefix(posn, dir+string(filepath.Separator))
}

// config is a configuration of golangci-lint that hides nothing.
const config = `version: "2"
linters:
  default: none
  enable: [locklint]
  settings:
    custom:
      locklint: {type: module}
  exclusions:
    generated: disable
issues: {max-same-issues: 0, max-issues-per-linter: 0, uniq-by-line: false}
output:
  formats: {json: {path: stdout}, text: {path: stderr}}
  show-stats: false
run: {relative-path-mode: wd}
`

// golangciRun runs golangci-lint with locklint alone on dir.
func golangciRun(t *testing.T, dir string, env []string, args ...string) *result {
	t.Helper()
	cfg := filepath.Join(t.TempDir(), "golangci.yml")
	write(t, cfg, config)
	// A cache of its own: what another build of the plugin found must not come back.
	env = append([]string{"GOLANGCI_LINT_CACHE=" + t.TempDir()}, env...)
	return run(t, dir, env, golangciLint(t), append([]string{"run", "--allow-parallel-runners", "-c", cfg}, args...)...)
}

// TestSameDiagnostics compares the diagnostics of go vet, of locklint by itself
// and of golangci-lint, one by one.
func TestSameDiagnostics(t *testing.T) {
	dir := root()
	vet := diagnostics(t, dir, run(t, dir, nil, "go", "vet", "-vettool="+locklint(t), "-json", corpus).want(t, 0).stdout)
	if len(vet) < 100 {
		t.Fatalf("go vet reports %d diagnostics on the corpus: too few to compare anything", len(vet))
	}
	alone := diagnostics(t, dir, run(t, dir, nil, locklint(t), "-json", corpus).want(t, 1).stdout)
	for s, n := range vet {
		if alone[s] != n {
			t.Errorf("%v\n\tgo vet says so %d times, locklint %d times", s, n, alone[s])
		}
	}
	for s := range alone {
		if vet[s] == 0 {
			t.Errorf("%v\n\tlocklint says so, go vet does not", s)
		}
	}

	var report struct {
		Issues []struct {
			Text string
			Pos  struct {
				Filename     string
				Line, Column int
			}
		}
	}
	out := golangciRun(t, dir, nil, corpus).want(t, 1)
	if err := json.Unmarshal([]byte(out.stdout), &report); err != nil {
		t.Fatalf("%v\n%s%s", err, out.stdout, out.stderr)
	}
	// golangci-lint prints the pass by itself, and the plugin adds the text of the
	// related positions to that of the diagnostic.
	left := maps.Clone(vet)
	for _, i := range report.Issues {
		posn := fmt.Sprintf("%s:%d:%d", i.Pos.Filename, i.Pos.Line, i.Pos.Column)
		pass, text, _ := strings.Cut(i.Text, ": ")
		if s, ok := longest(left, posn, pass, text); ok {
			left[s]--
		} else {
			t.Errorf("%s: %s\n\tgolangci-lint says so, go vet does not", posn, i.Text)
		}
	}
	for s, n := range left {
		if n > 0 {
			t.Errorf("%v\n\tgo vet says so, golangci-lint does not", s)
		}
	}
}

// longest finds what text begins with.
func longest(left map[said]int, posn, pass, text string) (said, bool) {
	var best said
	for s, n := range left {
		if n > 0 && s.posn == posn && s.pass == pass && strings.HasPrefix(text, s.text) && len(s.text) > len(best.text) {
			best = s
		}
	}
	return best, best.text != ""
}

// TestSameFixes compares what the drivers make of the corpus with all fixes on.
func TestSameFixes(t *testing.T) {
	before := copyTree(t, root())
	tool := locklint(t)
	// Without the name of the copy in the keys of the build cache, what was compiled
	// for one copy serves the next. Not so with go vet -fix: it would take the fixes of
	// another copy from the cache, and these have its names in them.
	trim := []string{"GOFLAGS=-trimpath"}
	drivers := []struct {
		name string
		fix  func(dir string)
	}{
		{"go vet", func(dir string) { run(t, dir, nil, "go", "vet", "-vettool="+tool, "-fix", corpus).want(t, 0) }},
		{"go fix", func(dir string) { run(t, dir, nil, "go", "fix", "-fixtool="+tool, corpus).want(t, 0) }},
		{"locklint", func(dir string) { run(t, dir, trim, tool, "-fix", corpus).want(t, 1) }},
		{"golangci-lint", func(dir string) { golangciRun(t, dir, trim, "--fix", corpus).want(t, 0, 1) }},
	}
	var first map[string]string
	for _, d := range drivers {
		dir := copyTree(t, root())
		d.fix(dir)
		after := goFiles(t, dir)
		if first == nil {
			first = after
			old, changed := goFiles(t, before), 0
			for name, text := range after {
				if text != old[name] {
					changed++
				}
			}
			if changed == 0 {
				t.Fatalf("%s fixes nothing in the corpus", d.name)
			}
			t.Logf("%s changes %d of %d files", d.name, changed, len(after))
			// What is fixed still compiles: go vet fails on what does not.
			run(t, dir, nil, "go", "vet", "-vettool="+tool, "-json", corpus).want(t, 0)
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(first)) {
			if after[name] != first[name] {
				t.Errorf("%s: %s and %s fix it differently", name, drivers[0].name, d.name)
			}
		}
	}
}

func goFiles(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	list := run(t, dir, nil, "go", "list", "-f", `{{range .GoFiles}}{{$.Dir}}/{{.}}{{"\n"}}{{end}}`, corpus).want(t, 0)
	for _, name := range strings.Fields(list.stdout) {
		files[relative(dir, name)] = read(t, name)
	}
	return files
}
