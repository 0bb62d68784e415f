package kinds

import (
	"go/format"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Every kind has a page, every page a kind.
func TestPages(t *testing.T) {
	all, err := pages()
	if err != nil {
		t.Fatal(err)
	}
	entries, err := files.ReadDir("pages")
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != len(All) {
		t.Errorf("%d pages for %d kinds", len(entries), len(All))
	}
	for _, k := range All {
		p := all[k.Name]
		for name, code := range map[string]string{"bad.go": p.Bad, "good.go": p.Good} {
			src, err := format.Source([]byte(code))
			if err != nil {
				t.Errorf("%s: %s: %v", k.Name, name, err)
			} else if string(src) != code {
				t.Errorf("%s: %s is not as gofmt writes it", k.Name, name)
			}
		}
		if !strings.HasPrefix(p.Race, "sequenceDiagram\n") {
			t.Errorf("%s: the race is no sequence diagram", k.Name)
		}
		if len(p.Silent) == 0 || len(p.See) == 0 {
			t.Errorf("%s: nothing under silent, or see", k.Name)
		}
		if k.Chinese == "" {
			t.Errorf("%s has no title for the Chinese README", k.Name)
		}
	}
}

// A kind has tests of its pass that expect it, and one with a fix has a golden file.
func TestTestdata(t *testing.T) {
	src := filepath.Join("..", "..", "testdata", "src")
	for _, k := range All {
		want := regexp.MustCompile("// want [^\n]*`" + regexp.QuoteMeta(k.Name) + ": ")
		if !holds(t, filepath.Join(src, k.Pass), ".go", want) {
			t.Errorf("no file below testdata/src/%s expects %s", k.Pass, k.Name)
		}
	}
}

// holds reports whether a file below dir whose name ends in suffix matches re.
func holds(t *testing.T, dir, suffix string, re *regexp.Regexp) bool {
	t.Helper()
	found := false
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || found || !strings.HasSuffix(path, suffix) {
			return err
		}
		text, err := os.ReadFile(path)
		found = re.Match(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestParsePage(t *testing.T) {
	for _, bad := range []string{
		"",
		"-- what --\nx\n",
		"-- what --\nx\n-- unknown --\ny\n",
		"-- see --\nno address\n",
	} {
		if _, err := parsePage([]byte(bad)); err == nil {
			t.Errorf("no error for %q", bad)
		}
	}
}

func TestSnippet(t *testing.T) {
	if got := Snippet("package p\n\nimport (\n\t\"fmt\"\n)\n\nfunc f() {\n}\n"); got != "func f() {\n}\n" {
		t.Errorf("got %q", got)
	}
}
