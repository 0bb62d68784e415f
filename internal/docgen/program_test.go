package docgen_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/locklint/locklint/internal/docgen"
	"github.com/locklint/locklint/internal/kinds"
)

var built string // the directory of the program

// The pages quote the program itself, so it is built once and run.
var program = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "locklint-docgen")
	if err != nil {
		return "", err
	}
	built = dir
	name := filepath.Join(dir, "locklint")
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	out, err := exec.Command("go", "build", "-o", name, "github.com/locklint/locklint/cmd/locklint").CombinedOutput()
	if err != nil {
		return "", errors.New(string(out))
	}
	return name, nil
})

func TestMain(m *testing.M) {
	code := m.Run()
	if built != "" {
		os.RemoveAll(built)
	}
	os.Exit(code)
}

// lint runs the program in dir, where there is something to find, and returns what it
// prints.
func lint(t *testing.T, dir string, args ...string) string {
	t.Helper()
	name, err := program()
	if err != nil {
		t.Fatal(err)
	}
	var stderr strings.Builder
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Stderr = dir, &stderr
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if code := cmd.ProcessState.ExitCode(); code != 1 {
		t.Fatalf("locklint %s exits with %d, not 1:\n%s%s", strings.Join(args, " "), code, out, stderr.String())
	}
	return string(out)
}

// runs has the program look at the faulty and the right code of every page: the one
// must be reported for its kind, the other must be silent.
func runs(t *testing.T) map[string]docgen.Run {
	t.Helper()
	dir := module(t)
	for _, k := range kinds.All {
		p := k.Page()
		write(t, filepath.Join(dir, k.Name, "bad", "orders.go"), p.Bad)
		write(t, filepath.Join(dir, k.Name, "good", "orders.go"), p.Good)
	}
	text := lint(t, dir, "./...")
	safe := lint(t, dir, "-diff", "./...")
	all := lint(t, dir, "-diff", "-fixes=all", "./...")
	out := map[string]docgen.Run{}
	for _, k := range kinds.All {
		r := docgen.Run{Findings: part(findings(text), k.Name+"/bad/"), Diff: part(diffs(safe), k.Name+"/bad/")}
		more := part(diffs(all), k.Name+"/bad/")
		if r.Diff != "" && k.Fix != kinds.FixSafe || r.Diff == "" && more != "" && k.Fix != kinds.FixSuggested || more == "" && k.Fix != kinds.FixNone {
			t.Errorf("%s: its fix is not %s. By default, it is\n%s\nwith -fixes=all\n%s", k.Name, k.Fix, r.Diff, more)
		}
		if r.Diff == "" {
			r.Diff = more
		}
		if !strings.Contains(r.Findings, k.Pass+"/"+k.Name+": ") {
			t.Errorf("%s: its faulty code is not reported for it:\n%s", k.Name, r.Findings)
		}
		if s := part(findings(text), k.Name+"/good/"); s != "" {
			t.Errorf("%s: its right code is reported:\n%s", k.Name, s)
		}
		out[k.Name] = r
	}
	return out
}

// part joins the chunks that speak of files below dir, without dir.
func part(chunks []string, dir string) string {
	var b strings.Builder
	for _, c := range chunks {
		if strings.Contains(c, dir) {
			b.WriteString(strings.ReplaceAll(c, dir, ""))
		}
	}
	return b.String()
}

// findings splits a report into its findings.
func findings(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t") {
			out[len(out)-1] += line
		} else {
			out = append(out, line)
		}
	}
	return out
}

// diffs splits a diff into those of each file, without the line that says "diff".
func diffs(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "diff ") {
			out = append(out, "")
		} else {
			out[len(out)-1] += line
		}
	}
	return out
}

// module makes a module that can import what this one requires.
func module(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	mod := read(t, filepath.Join(root, "go.mod"))
	write(t, filepath.Join(dir, "go.mod"), strings.Replace(mod, "module github.com/locklint/locklint\n", "module example.com/shop\n", 1))
	write(t, filepath.Join(dir, "go.sum"), read(t, filepath.Join(root, "go.sum")))
	return dir
}

var root = filepath.Join("..", "..")

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
