package passdoc_test

import (
	"strings"
	"testing"

	"github.com/locklint/locklint"
	"github.com/locklint/locklint/internal/kinds"
	"github.com/locklint/locklint/internal/passdoc"
)

// Every pass has its doc.go and lists its kinds; every kind has a pass.
func TestDocs(t *testing.T) {
	cfg := locklint.DefaultConfig()
	passes := map[string]bool{}
	for _, a := range locklint.Analyzers(&cfg) {
		passes[a.Name] = true
		if !strings.HasPrefix(a.Doc, a.Name+": ") {
			t.Errorf("the documentation of %s begins with %.40q", a.Name, a.Doc)
		}
		if a.URL != passdoc.URL(a.Name) {
			t.Errorf("the URL of %s is %q", a.Name, a.URL)
		}
		for _, k := range kinds.OfPass(a.Name) {
			if !strings.Contains(a.Doc, "\n  - "+k.Name+": "+k.Title) {
				t.Errorf("the documentation of %s does not list %s", a.Name, k.Name)
			}
		}
	}
	for _, k := range kinds.All {
		if !passes[k.Pass] {
			t.Errorf("%s: there is no pass %s", k.Name, k.Pass)
		}
	}
}

func TestPass(t *testing.T) {
	for _, c := range []struct{ source, want string }{
		{"// Package p is.\n//\n// # Analyzer p\n//\n// p: report x\n//\n// More.\npackage p", "p: report x\n\nMore."},
		{"// Package p is.\npackage p", ""},
		{"// Package p is.\n//\n// # Analyzer p\n//\n// report x\npackage p", ""},
		{"no Go", ""},
	} {
		got, err := passdoc.Pass(c.source, "p")
		if got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("Pass(%q) = %q, %v", c.source, got, err)
		}
	}
}
