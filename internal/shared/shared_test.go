package shared_test

import (
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/locklint/locklint"
	"github.com/locklint/locklint/passes/baredel"
	"github.com/locklint/locklint/passes/constvalue"
	"github.com/locklint/locklint/passes/setnxexpire"
)

// TestVariables: the variables are valid together, are all the passes, and share
// their settings.
func TestVariables(t *testing.T) {
	t.Parallel()
	variables := []*analysis.Analyzer{setnxexpire.Analyzer, baredel.Analyzer, constvalue.Analyzer}
	if err := analysis.Validate(variables); err != nil {
		t.Fatal(err)
	}
	cfg := locklint.DefaultConfig()
	for _, a := range locklint.Analyzers(&cfg) {
		found := false
		for _, v := range variables {
			found = found || v.Name == a.Name
		}
		if !found {
			t.Errorf("%s has no variable here", a.Name)
		}
	}
	if err := variables[0].Flags.Set("not-lock", "a:,b:"); err != nil {
		t.Fatal(err)
	}
	if got := variables[2].Flags.Lookup("not-lock").Value.String(); got != "a:,b:" {
		t.Errorf("not-lock of %s is %q, not what was set on %s", variables[2].Name, got, variables[0].Name)
	}
	if err := variables[1].Flags.Set("disable", "nokind"); err == nil {
		t.Error("a kind that does not exist is taken")
	}
}
