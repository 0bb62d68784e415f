package output

import (
	"encoding/json"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSuppressed: what is hidden stands among the findings, with its reason, and takes
// part in the count of those that are alike.
func TestSuppressed(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "a.go")
	if err := os.WriteFile(file, []byte("package a\n\nf()\nf()\nf()\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	at := func(line int) Finding {
		return Finding{Pass: "p", Kind: "k", Message: "m", Pos: token.Position{Filename: file, Line: line, Column: 1}, End: token.Position{Filename: file, Line: line, Column: 4}}
	}
	type result struct {
		RuleIndex    int
		Fingerprints map[string]string `json:"partialFingerprints"`
		Suppressions []struct{ Kind, Justification string }
	}
	print := func(s SARIF, findings ...Finding) []result {
		var b strings.Builder
		if err := s.Print(&b, findings); err != nil {
			t.Fatal(err)
		}
		var log struct{ Runs []struct{ Results []result } }
		if err := json.Unmarshal([]byte(b.String()), &log); err != nil {
			t.Fatal(err)
		}
		return log.Runs[0].Results
	}
	rules := []Rule{{ID: "other"}, {ID: "k"}}
	open := print(SARIF{Rules: rules}, at(3), at(4), at(5))
	hidden := print(SARIF{Rules: rules, Suppressed: []Suppressed{{at(5), false, "known"}, {at(3), true, "kept"}}}, at(4))
	if len(open) != 3 || len(hidden) != 3 {
		t.Fatalf("%d and %d results, want 3", len(open), len(hidden))
	}
	for i, want := range []string{"inSource kept", "", "external known"} {
		if len(open[i].Suppressions) != 0 || open[i].RuleIndex != 1 {
			t.Errorf("an open finding: %+v", open[i])
		}
		got := ""
		for _, s := range hidden[i].Suppressions {
			got += s.Kind + " " + s.Justification
		}
		if got != want {
			t.Errorf("result %d is suppressed by %q, want %q", i, got, want)
		}
		if open[i].Fingerprints["locklint/v1"] != hidden[i].Fingerprints["locklint/v1"] {
			t.Errorf("result %d has another fingerprint when some are hidden", i)
		}
	}
	if open[0].Fingerprints["locklint/v1"] == open[1].Fingerprints["locklint/v1"] {
		t.Error("findings that look alike share a fingerprint")
	}
}

func TestSources(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "a.go")
	if err := os.WriteFile(file, []byte("ab\n锁c\n\nd"), 0o644); err != nil {
		t.Fatal(err)
	}
	src := sources{}
	at := func(line, column int) token.Position {
		// The Offset is that of another file.
		return token.Position{Filename: file, Line: line, Column: column, Offset: 999}
	}
	for _, c := range []struct {
		pos, end token.Position
		want     string
	}{
		{at(2, 1), at(2, 4), "锁"},
		{at(1, 2), at(2, 5), "b\n锁c"},
		{at(2, 4), token.Position{}, "锁c"}, // without an end, the line
		{at(4, 1), at(4, 2), "d"},
		{at(4, 1), at(4, 9), "d"},
		{at(3, 1), at(3, 1), ""},
		{at(1, 9), at(1, 9), ""}, // beyond the line, and the file
		{at(9, 1), at(9, 2), ""},
		{at(0, 0), at(0, 0), ""},
		{token.Position{Filename: file + "x", Line: 1, Column: 1}, token.Position{}, ""},
	} {
		if got := src.code(c.pos, c.end); got != c.want {
			t.Errorf("%v to %v: %q, want %q", c.pos, c.end, got, c.want)
		}
	}
}
