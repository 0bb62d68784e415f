package e2e

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestSameNolint: a //nolint comment that names locklint silences the same lines in
// locklint as in golangci-lint, which has its own idea of how far it reaches.
func TestSameNolint(t *testing.T) {
	const (
		create = "\tok, err := rdb.SetNX("
		expire = "\tif err := rdb.Expire("
		free   = "\tdefer rdb.Del(ctx, \"lock:nightly\")"
		work   = "// Once runs work if no other process does.\n"
	)
	sample := read(t, filepath.Join(root(), "e2e", "testdata", "sample", "lock.go"))
	head, function, ok := strings.Cut(sample, work)
	if !ok {
		t.Fatalf("the sample has changed:\n%s", sample)
	}
	var src strings.Builder
	src.WriteString(head)
	for i, v := range []struct{ old, new string }{
		{"", ""},
		{free, free + " //nolint:locklint"},
		{free, free + " //nolint:locklint // on purpose"},
		{free, free + " // nolint:locklint"},
		{free, free + " //nolint: errcheck, LockLint // on purpose"},
		{free, free + " //nolint:locklint on purpose"},
		{free, free + " //nolint:errcheck // locklint"},
		{free, free + " /* nolint:locklint */"},
		{free, "\t//nolint:locklint\n" + free},
		{free, "//nolint:locklint\n" + free},
		{free, "\t//nolint:locklint\n\n" + free},
		{free, "\t// Free it.\n\t//nolint:locklint\n\t// Now.\n" + free},
		{create, "\t//nolint:locklint\n" + create},
		{expire, "\t//nolint:locklint\n" + expire},
		{"func ", "//nolint:locklint\nfunc "},
		{"func ", "//nolint:locklint\n\nfunc "},
		{"func ", "// Once does.\n//\n//nolint:locklint // on purpose\nfunc "},
		{"func ", "var _ = 0 //nolint:locklint\n\nfunc "},
		{") error {\n", ") error { //nolint:locklint\n"},
	} {
		text := function
		if v.old != "" {
			if text = strings.Replace(function, v.old, v.new, 1); text == function {
				t.Fatalf("the sample has no %q", v.old)
			}
		}
		src.WriteString(strings.NewReplacer("Once(", fmt.Sprintf("Once%d(", i), "lock:nightly", fmt.Sprintf("lock:n%d", i)).Replace(text))
	}
	dir := copyTree(t, filepath.Join(root(), "e2e", "testdata", "sample"))
	write(t, filepath.Join(dir, "lock.go"), src.String())

	want := map[int]int{} // by line
	for s, n := range diagnostics(t, dir, run(t, dir, nil, locklint(t), "-json", "./...").want(t, 1).stdout) {
		var line, column int
		if _, err := fmt.Sscanf(s.posn, "lock.go:%d:%d", &line, &column); err != nil {
			t.Fatalf("%s: %v", s.posn, err)
		}
		want[line] += n
	}
	var report struct {
		Issues []struct{ Pos struct{ Line int } }
	}
	out := golangciRun(t, dir, nil, "./...").want(t, 1)
	if err := json.Unmarshal([]byte(out.stdout), &report); err != nil {
		t.Fatalf("%v\n%s%s", err, out.stdout, out.stderr)
	}
	got := map[int]int{}
	for _, i := range report.Issues {
		got[i.Pos.Line]++
	}
	if len(want) < 10 {
		t.Errorf("locklint reports in %d lines: too few to compare", len(want))
	}
	if !maps.Equal(got, want) {
		for n, line := range slices.Collect(strings.Lines(src.String())) {
			if got[n+1] != want[n+1] {
				t.Errorf("line %d: golangci-lint says %d, locklint %d: %s", n+1, got[n+1], want[n+1], line)
			}
		}
	}
}
