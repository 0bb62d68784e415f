package kinds

import (
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The scaffold lays a page that parses, tests that expect the kind, and a row in the
// table; it never writes over anything.
func TestNewKind(t *testing.T) {
	program, err := filepath.Abs("newkind.go")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	table := filepath.Join(dir, "internal", "kinds", "kinds.go")
	old, err := os.ReadFile("kinds.go")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(table), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(table, old, 0o666); err != nil {
		t.Fatal(err)
	}
	newkind := func(args ...string) (string, error) {
		cmd := exec.Command("go", append([]string{"run", program}, args...)...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		return string(out), err
	}

	if out, err := newkind("baredel", "late-release", "a lock is freed too late"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	text, err := os.ReadFile(filepath.Join(dir, "internal", "kinds", "pages", "late-release.txt"))
	if err != nil {
		t.Fatal(err)
	}
	p, err := parsePage(text)
	if err != nil {
		t.Fatal(err)
	}
	for _, code := range []string{p.Bad, p.Good} {
		if src, err := format.Source([]byte(code)); err != nil || string(src) != code {
			t.Errorf("code of the page is not as gofmt writes it (%v):\n%s", err, code)
		}
	}
	for name, want := range map[string]string{
		"testdata/src/baredel/laterelease/faults.go": "// want `late-release: `",
		"testdata/src/baredel/laterelease/silent.go": "package laterelease\n",
		"internal/kinds/kinds.go":                    `{"late-release", "baredel", "a lock is freed too late", true, FixNone, "next", "a lock is freed too late"},`,
	} {
		src, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			t.Error(err)
			continue
		}
		if !strings.Contains(string(src), want) {
			t.Errorf("%s has no %s:\n%s", name, want, src)
		}
		if f, err := format.Source(src); err != nil || string(f) != string(src) {
			t.Errorf("%s is not as gofmt writes it (%v)", name, err)
		}
	}

	for want, args := range map[string][]string{
		"there is a kind late-release": {"baredel", "late-release", "again"},
		"there is no pass nosuch":      {"nosuch", "late-renew", "a title"},
		"is no name of a kind":         {"baredel", "Late Release", "a title"},
		"usage:":                       {"baredel"},
	} {
		if out, err := newkind(args...); err == nil || !strings.Contains(out, want) {
			t.Errorf("newkind %q: %v, no %q in %q", args, err, want, out)
		}
	}
}
