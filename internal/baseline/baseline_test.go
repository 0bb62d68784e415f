package baseline

import (
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/locklint/locklint/internal/output"
)

func finding(file, kind string, line int) output.Finding {
	return output.Finding{Package: "m/p", Pass: "pass", Kind: kind, Pos: token.Position{Filename: file, Line: line, Column: 1}}
}

func TestSplit(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "a.go")
	if err := os.WriteFile(file, []byte("a()\na()\nb()\na()\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	at := func(line int) output.Finding { return finding(file, "k", line) }
	path := filepath.Join(dir, "base.json")
	if err := New([]output.Finding{at(1), at(2), at(3)}).Write(path); err != nil {
		t.Fatal(err)
	}
	b, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	analysed := map[string]bool{"m/p": true}
	for _, c := range []struct {
		name               string
		findings           []output.Finding
		fresh, known, gone int
	}{
		{"the same", []output.Finding{at(1), at(2), at(3)}, 0, 3, 0},
		{"the same code at another line", []output.Finding{at(1), at(4), at(3)}, 0, 3, 0},
		{"one more of what is known twice", []output.Finding{at(1), at(2), at(3), at(4)}, 1, 3, 0},
		{"one less", []output.Finding{at(1), at(3)}, 0, 2, 1},
		{"another kind", []output.Finding{finding(file, "other", 3)}, 1, 0, 3},
		{"none", nil, 0, 0, 3},
	} {
		fresh, known, gone := b.Split(c.findings, analysed)
		if len(fresh) != c.fresh || len(known) != c.known || gone != c.gone {
			t.Errorf("%s: %d new, %d known, %d gone; want %d, %d, %d", c.name, len(fresh), len(known), gone, c.fresh, c.known, c.gone)
		}
	}
	if _, _, gone := b.Split(nil, map[string]bool{"m/q": true}); gone != 0 {
		t.Errorf("%d findings are gone of a package that was not analysed", gone)
	}
}

func TestRead(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                                   "not a baseline",
		"[]":                                 "not a baseline",
		`{"version": 1, "finding": []}`:      `"finding"`,
		`{"version": 2, "findings": []}`:     "a baseline of version 2",
		`{"findings": [{"package": "m/p"}]}`: "a baseline of version 0",
	} {
		file := filepath.Join(t.TempDir(), "base.json")
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(file); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), file) {
			t.Errorf("%q: error %v does not say %s, or not which file", text, err, want)
		}
	}
}
