package docgen_test

import (
	"encoding/json"
	"os"
	"regexp"
	"testing"

	"github.com/locklint/locklint/internal/kinds"
)

// Every kind with a fix has a golden file: below testdata/src/fix a source that is
// reported for the kind with a fix, and beside it what the fix makes of it.
func TestGoldens(t *testing.T) {
	var report map[string]map[string][]struct {
		Category string
		Posn     string
		Fixes    []json.RawMessage `json:"suggested_fixes"`
	}
	out := lint(t, root, "-json", "-fixes=all", "./testdata/src/fix/...")
	if err := json.Unmarshal([]byte(out), &report); err != nil {
		t.Fatal(err)
	}
	has := map[string]bool{}
	for _, passes := range report {
		for _, diagnostics := range passes {
			for _, d := range diagnostics {
				file := position.ReplaceAllString(d.Posn, "")
				if _, err := os.Stat(file + ".golden"); err == nil && len(d.Fixes) > 0 {
					has[d.Category] = true
				}
			}
		}
	}
	for _, k := range kinds.All {
		if has[k.Name] != (k.Fix != kinds.FixNone) {
			t.Errorf("%s: fix class %s, golden file: %v", k.Name, k.Fix, has[k.Name])
		}
	}
}

var position = regexp.MustCompile(`:\d+:\d+$`)
