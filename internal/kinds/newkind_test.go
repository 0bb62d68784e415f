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
// table; it never writes over anything. The name is one that no kind will have, since
// the table is the real one.
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

	if out, err := newkind("baredel", "newkind-test", "a fault that nobody has"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	text, err := os.ReadFile(filepath.Join(dir, "internal", "kinds", "pages", "newkind-test.txt"))
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
		"testdata/src/baredel/newkindtest/faults.go": "// want `newkind-test: `",
		"testdata/src/baredel/newkindtest/silent.go": "package newkindtest\n",
		"internal/kinds/kinds.go":                    `{"newkind-test", "baredel", "a fault that nobody has", true, FixNone, "next", "a fault that nobody has"},`,
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
		"there is a kind newkind-test": {"baredel", "newkind-test", "again"},
		"there is no pass nosuch":      {"nosuch", "newkind-other", "a title"},
		"is no name of a kind":         {"baredel", "Newkind Test", "a title"},
		"usage:":                       {"baredel"},
	} {
		if out, err := newkind(args...); err == nil || !strings.Contains(out, want) {
			t.Errorf("newkind %q: %v, no %q in %q", args, err, want, out)
		}
	}
}
