package kinds

import (
	"go/format"
	"os"
	"path/filepath"
	"reflect"
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
		if k.Chinese == "" {
			t.Errorf("%s has no title for the Chinese README", k.Name)
		}
	}
}

// Every kind has tests of its pass that expect it.
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
	const whole = "-- what --\na\n-- why --\nb\n-- bad.go --\nc\n-- good.go --\nd\n-- silent --\ne\nf\n-- race --\ng\n-- see --\nh: https://i\n"
	got, err := parsePage([]byte(whole))
	want := Page{What: "a\n", Why: "b\n", Bad: "c\n", Good: "d\n", Silent: []string{"e", "f"}, Race: "g\n", See: []Link{{"h", "https://i"}}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v; want %+v", got, err, want)
	}
	for bad, names := range map[string]string{
		whole + "-- unknown --\ny\n":                                        "unknown",
		strings.Replace(whole, "h: https", "h: http", 1):                    "see",
		strings.Replace(whole, "-- why --\nb\n", "", 1):                     "why",
		strings.Replace(whole, "-- why --\nb\n", "-- why --\n", 1):          "why",
		strings.Replace(whole, "-- silent --\ne\nf\n", "", 1):               "silent",
		strings.Replace(whole, "-- silent --\ne\nf\n", "-- silent --\n", 1): "silent",
		strings.Replace(whole, "-- see --\nh: https://i\n", "", 1):          "see",
	} {
		if _, err := parsePage([]byte(bad)); err == nil || !strings.Contains(err.Error(), names) {
			t.Errorf("%q: the error does not name %s: %v", bad, names, err)
		}
	}
}

func TestSnippet(t *testing.T) {
	if got := Snippet("package p\n\nimport (\n\t\"fmt\"\n)\n\nfunc f() {\n}\n"); got != "func f() {\n}\n" {
		t.Errorf("got %q", got)
	}
}
