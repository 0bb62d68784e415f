package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// schema is the official schema of SARIF 2.1.0 of OASIS. The module of gosec, which
// golangci-lint needs anyway, carries it.
func schema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	dir := strings.TrimSpace(run(t, ".", nil, "go", "list", "-m", "-f", "{{.Dir}}", "github.com/securego/gosec/v2").want(t, 0).stdout)
	f, err := os.Open(filepath.Join(dir, "report", "sarif", "testdata", "sarif-schema-2.1.0.json"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	doc, err := jsonschema.UnmarshalJSON(f)
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("sarif.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("sarif.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestSARIF validates what locklint writes: with findings of all kinds, with
// fixes, with a baseline, with findings that comments silence, with nothing to say, and with code that does not compile.
func TestSARIF(t *testing.T) {
	s := schema(t)
	tool := locklint(t)
	validate := func(t *testing.T, out *result, has ...string) {
		t.Helper()
		doc, err := jsonschema.UnmarshalJSON(strings.NewReader(out.stdout))
		if err != nil {
			t.Fatalf("%v\n%s", err, out.stdout)
		}
		if err := s.Validate(doc); err != nil {
			t.Error(err)
		}
		for _, h := range has {
			if !strings.Contains(out.stdout, h) {
				t.Errorf("no %s in\n%.2000s", h, out.stdout)
			}
		}
	}

	all := run(t, root(), nil, tool, "-format=sarif", "-fixes=all", corpus).want(t, 1)
	validate(t, all, `"ruleId": "no-ttl"`, `"relatedLocations"`, `"fixes"`, `"uri": "testdata/src/`)

	base := filepath.Join(t.TempDir(), "base.json")
	run(t, root(), nil, tool, "-write-baseline="+base, corpus).want(t, 0)
	validate(t, run(t, root(), nil, tool, "-format=sarif", "-baseline="+base, corpus).want(t, 0), `"kind": "external"`)

	validate(t, run(t, root(), nil, tool, "-format=sarif", "./internal/config").want(t, 0), `"results": []`)

	sample := copyTree(t, filepath.Join(root(), "e2e", "testdata", "sample"))
	lock := filepath.Join(sample, "lock.go")
	text := strings.Replace(read(t, lock), "\tok, err :=", "\t//locklint:ignore setnx-expire,weak-token a \"reason\"\n\tok, err :=", 1)
	write(t, lock, strings.Replace(text, `"lock:nightly")`+"\n\treturn", `"lock:nightly") //nolint:locklint`+"\n\treturn", 1))
	silenced := run(t, sample, nil, tool, "-format=sarif", "./...").want(t, 0)
	validate(t, silenced, `"justification": "a \"reason\""`)
	if n := strings.Count(silenced.stdout, `"kind": "inSource"`); n != 3 {
		t.Errorf("%d findings are suppressed in the source, want 3", n)
	}

	dir := t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), "module m\n\ngo 1.26\n")
	write(t, filepath.Join(dir, "a.go"), "package m\n\nimport _ \"no/such\"\n\nfunc SetNX() { undefined() }\n")
	validate(t, run(t, dir, nil, tool, "-format=sarif", "./...").want(t, 2), `"executionSuccessful": false`)

	// The validator is no rubber stamp.
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(strings.Replace(all.stdout, `"startLine": `, `"startLine": -`, 1)))
	if err != nil {
		t.Fatal(err)
	}
	if s.Validate(doc) == nil {
		t.Error("a negative line is valid")
	}
}
