package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// TestShards runs the recipe of docs/large-codebases.md: shards, merged, report what
// one run reports.
func TestShards(t *testing.T) {
	if _, err := exec.LookPath("jq"); err != nil {
		t.Fatal("jq is not installed: apt-get install jq")
	}
	const shards = 3
	doc := read(t, filepath.Join(root(), "docs", "large-codebases.md"))
	split, merge := block(t, doc, "awk"), block(t, doc, "jq -s")
	split = strings.Replace(split, "go list ./...", "go list "+corpus, 1)
	// The commands run in the repository, with their files elsewhere.
	dir := t.TempDir()
	split = strings.ReplaceAll(split, ">shard-", ">"+dir+"/shard-")
	env := []string{"PATH=" + filepath.Dir(locklint(t)) + ":" + os.Getenv("PATH"), fmt.Sprintf("SHARDS=%d", shards)}
	for i := range shards {
		run(t, root(), append(env, fmt.Sprintf("SHARD=%d", i)), "sh", "-c", split).want(t, 1)
	}
	// More shards than packages: one without any looks at nothing.
	run(t, root(), append(env, "SHARDS=1000000", "SHARD=999999"), "sh", "-c", split).want(t, 0)
	if _, err := os.Stat(filepath.Join(dir, "shard-999999.sarif")); !os.IsNotExist(err) {
		t.Errorf("a shard without packages has a report: %v", err)
	}
	run(t, root(), append(env, "SHARD=0"), "sh", "-c", strings.Replace(split, corpus, "./nosuch", 1)).want(t, 2)
	run(t, dir, nil, "sh", "-c", merge).want(t, 0)
	merged := read(t, filepath.Join(dir, "locklint.sarif"))
	whole := run(t, root(), nil, locklint(t), "-format=sarif", corpus).want(t, 1).stdout

	got, want := results(t, merged), results(t, whole)
	if len(want) < 100 {
		t.Fatalf("one run reports %d results: too few to compare", len(want))
	}
	if !slices.Equal(got, want) {
		t.Errorf("%d results in the shards, %d in one run, and not the same", len(got), len(want))
	}
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(merged))
	if err != nil {
		t.Fatal(err)
	}
	if err := schema(t).Validate(v); err != nil {
		t.Error(err)
	}
}

// block finds the fenced shell block of a page that has the text.
func block(t *testing.T, doc, text string) string {
	t.Helper()
	for _, m := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(doc, -1) {
		if strings.Contains(m[1], text) {
			return m[1]
		}
	}
	t.Fatalf("no block with %s", text)
	return ""
}

// results lists what a report says, in a fixed order.
func results(t *testing.T, report string) []string {
	t.Helper()
	var log struct {
		Runs []struct{ Results []json.RawMessage }
	}
	if err := json.Unmarshal([]byte(report), &log); err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, r := range log.Runs[0].Results {
		var v any
		if err := json.Unmarshal(r, &v); err != nil {
			t.Fatal(err)
		}
		list = append(list, fmt.Sprint(v))
	}
	slices.Sort(list)
	return list
}
