package pass_test

import (
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/locklint/locklint"
	"github.com/locklint/locklint/internal/linttest"
	"github.com/locklint/locklint/passes/baredel"
	"github.com/locklint/locklint/passes/constvalue"
	"github.com/locklint/locklint/passes/setnxexpire"
)

var variables = []*analysis.Analyzer{setnxexpire.Analyzer, baredel.Analyzer, constvalue.Analyzer}

// The variables are valid together, are all the passes, and share their settings.
func TestVariables(t *testing.T) {
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
	t.Cleanup(func() { setFlag(t, variables[0], "not-lock", "") }) // TestVariablesRun wants the defaults
	setFlag(t, variables[0], "not-lock", "a:,b:")
	if got := variables[2].Flags.Lookup("not-lock").Value.String(); got != "a:,b:" {
		t.Errorf("not-lock of %s is %q, not what was set on %s", variables[2].Name, got, variables[0].Name)
	}
	if err := variables[1].Flags.Set("disable", "nokind"); err == nil {
		t.Error("a kind that does not exist is taken")
	}
}

func setFlag(t *testing.T, a *analysis.Analyzer, name, value string) {
	t.Helper()
	if err := a.Flags.Set(name, value); err != nil {
		t.Fatal(err)
	}
}

// A driver that is given nothing but the variables gets the findings of each pass.
func TestVariablesRun(t *testing.T) {
	load := &packages.Config{Mode: packages.LoadAllSyntax, Dir: linttest.Root(t)}
	pkgs, err := packages.Load(load, "./testdata/src/fix/several")
	if err != nil {
		t.Fatal(err)
	}
	graph, err := checker.Analyze(variables, pkgs, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, act := range graph.Roots {
		if act.Err != nil {
			t.Fatalf("%s: %v", act.Analyzer.Name, act.Err)
		}
		if len(act.Diagnostics) == 0 {
			t.Errorf("%s reports nothing", act.Analyzer.Name)
		}
		for _, d := range act.Diagnostics {
			if !strings.HasPrefix(d.Message, d.Category+": ") {
				t.Errorf("%s: the message does not begin with the kind %s: %s", act.Analyzer.Name, d.Category, d.Message)
			}
		}
	}
}
