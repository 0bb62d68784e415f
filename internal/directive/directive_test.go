package directive

import (
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"
)

func TestIgnore(t *testing.T) {
	t.Parallel()
	for comment, want := range map[string]struct {
		kinds, reason string
		misspelled    string // a word of it
	}{
		"//locklint:ignore":                            {"", "", ""},
		"//locklint:ignore no-ttl":                     {"no-ttl", "", ""},
		"//locklint:ignore no-ttl,bad-args for a test": {"no-ttl bad-args", "for a test", ""},
		"//locklint:ignore\tno-ttl\tkept":              {"no-ttl", "kept", ""},
		"// locklint:ignore no-ttl kept":               {"no-ttl", "kept", "space"},
		"//\tlocklint:ignore":                          {"", "", "space"},
		"/*locklint:ignore no-ttl kept*/":              {"no-ttl", "kept", "space"},
		"/*\n locklint:ignore no-ttl\n kept\n*/":       {"no-ttl", "kept", "space"},
		"//locklint:ignore:no-ttl kept":                {"no-ttl", "kept", "colon"},
		"//locklint:ignore: no-ttl kept":               {"no-ttl", "kept", "colon"},
	} {
		got, ok := readIgnore(comment)
		if !ok || strings.Join(got.Kinds, " ") != want.kinds || got.Reason != want.reason || !strings.Contains(got.Misspelled, want.misspelled) || (got.Misspelled == "") != (want.misspelled == "") {
			t.Errorf("%s: %+v, %v; want %+v", comment, got, ok, want)
		}
	}
	for _, comment := range []string{
		"//", "/**/", "// text", "//locklint:ignored no-ttl", "//locklint:test passes=baredel", "// see locklint:ignore", "//\t//locklint:ignore no-ttl kept",
	} {
		if got, ok := readIgnore(comment); ok {
			t.Errorf("%s: %+v", comment, got)
		}
	}
}

func TestCovers(t *testing.T) {
	t.Parallel()
	i := Ignore{Line: 3}
	for line, want := range map[int]bool{2: false, 3: true, 4: true, 5: false} {
		if i.Covers(line) != want {
			t.Errorf("line %d: %v", line, !want)
		}
	}
	if i.Misspelled = "with a space"; i.Covers(3) {
		t.Error("a misspelled directive is obeyed")
	}
}

func TestNolintText(t *testing.T) {
	t.Parallel()
	for comment, want := range map[string]string{
		"//nolint:locklint":                       "",
		"//nolint:locklint // by hand":            "by hand",
		"//nolint:errcheck,locklint//by hand":     "by hand",
		"//nolint:LockLint, errcheck // by hand":  "by hand",
		"// nolint:locklint // as in old sources": "as in old sources",
	} {
		if got, ok := readNolint(comment); !ok || got != want {
			t.Errorf("%s: %q, %v", comment, got, ok)
		}
	}
	for _, comment := range []string{"//", "//nolint", "//nolint // locklint", "//nolint:all", "//nolint:errcheck // locklint", "/*nolint:locklint*/", "// see nolint:locklint"} {
		if _, ok := readNolint(comment); ok {
			t.Errorf("%s: is obeyed", comment)
		}
	}
}

// The reach is that of golangci-lint.
func TestNolintReach(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, src string
		lines     []int // that are silent
	}{
		{"at the end of a line", "package p\n\nfunc f() {\n\tg() //nolint:locklint\n\tg()\n}\n", []int{4}},
		{"above a function", "package p\n\n//nolint:locklint\nfunc f() {\n\tg()\n}\n\nfunc g() {}\n", []int{3, 4, 5, 6}},
		{"in the comment of a function", "package p\n\n// f does.\n//\n//nolint:locklint\nfunc f() {\n\tg()\n}\n", []int{3, 4, 5, 6, 7, 8}},
		{"above a statement", "package p\n\nfunc f() {\n\t//nolint:locklint\n\tif true {\n\t\tg()\n\t}\n\tg()\n}\n", []int{4, 5, 6, 7}},
		{"above an empty line", "package p\n\n//nolint:locklint\n\nfunc f() {\n\tg()\n}\n", []int{3}},
		{"in another column", "package p\n\nfunc f() {\n//nolint:locklint\n\tg()\n}\n", []int{4}},
		{"above the package clause", "//nolint:locklint\npackage p\n\nfunc f() {}\n", []int{1, 2, 3, 4}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			fset := token.NewFileSet()
			f, err := parser.ParseFile(fset, "a.go", c.src, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			nolints := Nolints(fset, f)
			var lines []int
			for line := range strings.Count(c.src, "\n") {
				if slices.ContainsFunc(nolints, func(n Nolint) bool { return n.Covers(line + 1) }) {
					lines = append(lines, line+1)
				}
			}
			if !slices.Equal(lines, c.lines) {
				t.Errorf("lines %v, want %v", lines, c.lines)
			}
		})
	}
}
