package report_test

import (
	"fmt"
	"go/ast"
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/packages"

	"github.com/locklint/locklint/internal/config"
	"github.com/locklint/locklint/internal/kinds"
	"github.com/locklint/locklint/internal/report"
	"github.com/locklint/locklint/internal/typetest"
)

var universe *typetest.Universe

func TestMain(m *testing.M) {
	u, err := typetest.New(".", "fmt")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	universe = u
	os.Exit(m.Run())
}

// diagnose runs a pass that reports, at each call of a function named after a kind
// (no_ttl for no-ttl), that kind. It returns "line category message" for each
// diagnostic.
func diagnose(t *testing.T, cfg config.Config, pass, src string) []string {
	t.Helper()
	var out []string
	for _, d := range diagnostics(t, cfg, pass, src) {
		out = append(out, fmt.Sprintf("%d %s %s", universe.Fset.Position(d.Pos).Line, d.Category, d.Message))
	}
	return out
}

func diagnostics(t *testing.T, cfg config.Config, pass, src string) []analysis.Diagnostic {
	t.Helper()
	if !strings.Contains(src, "package p\n") {
		src = "package p\n" + src
	}
	for _, k := range kinds.All {
		src += "\nfunc " + strings.ReplaceAll(k.Name, "-", "_") + "() bool { return true }"
	}
	p := universe.MustPackage(t, "example.com/m/p", src)
	return reportCalls(p, cfg, pass)
}

func reportCalls(p *packages.Package, cfg config.Config, pass string) []analysis.Diagnostic {
	var out []analysis.Diagnostic
	r := report.New(&analysis.Pass{
		Analyzer: &analysis.Analyzer{Name: pass}, Fset: p.Fset, Files: p.Syntax, Pkg: p.Types, TypesInfo: p.TypesInfo,
		Report: func(d analysis.Diagnostic) { out = append(out, d) },
	}, &cfg)
	for _, f := range p.Syntax {
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			id, ok := call.Fun.(*ast.Ident)
			if !ok {
				return true
			}
			kind := strings.ReplaceAll(id.Name, "_", "-")
			if k, ok := kinds.ByName(kind); ok && k.Pass == pass {
				r.Report(report.Finding{
					Kind: kind, Pos: call.Pos(), End: call.End(), Text: "text",
					Related: []report.Related{{Pos: f.Name.Pos(), Text: "see here"}, {Text: "nowhere"}},
					Fix:     &analysis.SuggestedFix{Message: "fix", TextEdits: []analysis.TextEdit{{Pos: call.Pos(), End: call.End()}}},
				})
			}
			return true
		})
	}
	r.Done()
	return out
}

func TestDirectives(t *testing.T) {
	t.Parallel()
	all := strings.Join(kinds.Names(), ", ")
	const misspelled = "this comment is no directive and silences nothing, for a directive is a // comment without a space; write "
	for _, c := range []struct {
		name string
		pass string
		src  string // begins at line 2
		want []string
	}{
		{"none", "setnxexpire", `func f() { no_ttl() }`, []string{"2 no-ttl text"}},
		{"on the line", "setnxexpire", `func f() { no_ttl() } //locklint:ignore no-ttl kept for ever`, nil},
		{"on the line before", "setnxexpire", "func f() {\n//locklint:ignore no-ttl kept for ever\nno_ttl()\n}", nil},
		{"two lines before", "setnxexpire", "func f() {\n//locklint:ignore no-ttl kept for ever\n\nno_ttl()\n}",
			[]string{"5 no-ttl text", "3 ignore locklint:ignore no-ttl silences nothing; remove it"}},
		{"on the line after", "setnxexpire", "func f() {\nno_ttl()\n//locklint:ignore no-ttl kept for ever\n}",
			[]string{"3 no-ttl text", "4 ignore locklint:ignore no-ttl silences nothing; remove it"}},
		{"two findings on two lines", "setnxexpire", "func f() {\n//locklint:ignore no-ttl kept\n_, _ = no_ttl(),\nno_ttl()\n}", []string{"5 no-ttl text"}},
		{"another kind", "setnxexpire", `func f() { no_ttl() } //locklint:ignore setnx-expire kept`,
			[]string{"2 no-ttl text", "2 ignore locklint:ignore setnx-expire silences nothing; remove it"}},
		{"two kinds", "setnxexpire", `func f() { _, _ = no_ttl(), setnx_expire() } //locklint:ignore no-ttl,setnx-expire kept`, nil},
		{"two kinds, one unused", "setnxexpire", `func f() { no_ttl() } //locklint:ignore no-ttl,setnx-expire kept`,
			[]string{"2 ignore locklint:ignore setnx-expire silences nothing; remove it"}},
		{"kinds of two passes, as one of them sees it", "setnxexpire", `func f() { no_ttl() } //locklint:ignore no-ttl,unowned-release kept`, nil},
		{"kinds of two passes, as the other sees it", "baredel", `func f() { no_ttl() } //locklint:ignore no-ttl,unowned-release kept`,
			[]string{"2 ignore locklint:ignore unowned-release silences nothing; remove it"}},
		{"no reason", "setnxexpire", `func f() { no_ttl() } //locklint:ignore no-ttl`,
			[]string{"2 no-ttl text", "2 ignore locklint:ignore no-ttl gives no reason and is not obeyed; write //locklint:ignore no-ttl reason"}},
		{"no reason but spaces", "setnxexpire", "func f() { no_ttl() } //locklint:ignore no-ttl  \t ",
			[]string{"2 no-ttl text", "2 ignore locklint:ignore no-ttl gives no reason and is not obeyed; write //locklint:ignore no-ttl reason"}},
		{"no reason, as another pass sees it", "baredel", `func f() { no_ttl() } //locklint:ignore no-ttl`, nil},
		{"tabs", "setnxexpire", "func f() { no_ttl() } //locklint:ignore\tno-ttl\tkept for ever", nil},
		{"no kind", "setnxexpire", `func f() {} //locklint:ignore`, []string{"2 ignore locklint:ignore names no kind; write //locklint:ignore kind reason"}},
		{"no kind, as another pass sees it", "constvalue", `func f() {} //locklint:ignore`, nil},
		{"unknown kind", "setnxexpire", `func f() {} //locklint:ignore no-tll kept`, []string{`2 ignore locklint:ignore names "no-tll", which is no kind; the kinds are ` + all}},
		{"unknown kind, as another pass sees it", "baredel", `func f() {} //locklint:ignore no-tll kept`, nil},
		{"a known and an unknown kind", "setnxexpire", `func f() { no_ttl() } //locklint:ignore no-ttl,typo kept`, []string{`2 ignore locklint:ignore names "typo", which is no kind; the kinds are ` + all}},
		{"another directive", "setnxexpire", `func f() { no_ttl() } //locklint:ignored no-ttl kept`, []string{"2 no-ttl text"}},
		{"a space after the slashes", "setnxexpire", `func f() { no_ttl() } // locklint:ignore no-ttl kept for ever`,
			[]string{"2 no-ttl text", "2 ignore " + misspelled + "//locklint:ignore no-ttl kept for ever"}},
		{"a block", "setnxexpire", `func f() { no_ttl() } /*locklint:ignore no-ttl kept for ever*/`,
			[]string{"2 no-ttl text", "2 ignore " + misspelled + "//locklint:ignore no-ttl kept for ever"}},
		{"a block of several lines", "setnxexpire", "/*\n\tlocklint:ignore no-ttl\n*/\nfunc f() { no_ttl() }",
			[]string{"5 no-ttl text", "2 ignore " + misspelled + "//locklint:ignore no-ttl reason"}},
		{"a colon before the kind", "setnxexpire", `func f() { no_ttl() } //locklint:ignore:no-ttl kept`,
			[]string{"2 no-ttl text", "2 ignore " + strings.Replace(misspelled, "is a // comment without a space", "has no colon before the kind", 1) + "//locklint:ignore no-ttl kept"}},
		{"a space, and kinds of two passes", "setnxexpire", `func f() { no_ttl() } // locklint:ignore unowned-release,no-ttl kept`, []string{"2 no-ttl text"}},
		{"a space, and kinds of two passes, as the first one's pass sees it", "baredel", `func f() { no_ttl() } // locklint:ignore unowned-release,no-ttl kept`,
			[]string{"2 ignore " + misspelled + "//locklint:ignore unowned-release,no-ttl kept"}},
		{"a space, and nothing else", "setnxexpire", `func f() { } // locklint:ignore`, []string{"2 ignore " + misspelled + "//locklint:ignore kind reason"}},
		{"a space, and a word that is no kind: text about directives", "setnxexpire", "// locklint:ignore comments are read here.\nfunc f() { }", nil},
		{"in the text of a comment", "setnxexpire", "// Write //locklint:ignore no-ttl reason.\n//\n//\t//locklint:ignore no-ttl reason\nfunc f() { }", nil},
		{"in a generated file", "setnxexpire", "// Code generated by x. DO NOT EDIT.\n\npackage p\n\nfunc f() { no_ttl() } //locklint:ignore setnx-expire kept", nil},
		{"twice", "setnxexpire", "func f() {\n//locklint:ignore no-ttl kept\nno_ttl() //locklint:ignore no-ttl kept\n}", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := diagnose(t, config.Default(), c.pass, c.src); !slices.Equal(got, c.want) {
				t.Errorf("got\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(c.want, "\n\t"))
			}
		})
	}
}

// An unknown kind and a directive without a kind are told once, whichever passes
// run.
func TestToldOnce(t *testing.T) {
	t.Parallel()
	told := map[string]int{}
	passes := map[string]bool{}
	for _, k := range kinds.All {
		passes[k.Pass] = true
	}
	for pass := range passes {
		for _, d := range diagnose(t, config.Default(), pass, "func f() {}//locklint:ignore typo kept\n//locklint:ignore") {
			told[d]++
		}
	}
	if len(told) != 2 {
		t.Errorf("got %v", told)
	}
	for d, n := range told {
		if n != 1 {
			t.Errorf("told %d times: %s", n, d)
		}
	}
}

// Where the first pass of the table does not run, another one tells what is of no pass.
func TestFirst(t *testing.T) {
	t.Parallel()
	const src = "func f() {} //locklint:ignore typo kept\n//locklint:ignore\n// locklint:ignore"
	cfg := config.Default()
	cfg.First = "constvalue"
	if got := diagnose(t, cfg, "constvalue", src); len(got) != 3 {
		t.Errorf("the first pass tells %q", got)
	}
	if got := diagnose(t, cfg, "setnxexpire", src); len(got) != 0 {
		t.Errorf("another one tells %q", got)
	}
}

// A kind that is switched off is not reported, and its directives are not unused.
func TestDisabled(t *testing.T) {
	t.Parallel()
	cfg := config.Default()
	cfg.Disable = []string{"no-ttl"}
	got := diagnose(t, cfg, "setnxexpire", "func f() { no_ttl() }\nfunc g() { no_ttl() } //locklint:ignore no-ttl kept\nfunc h() { bad_args() }")
	if want := []string{"4 bad-args text"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A directive that nobody obeys is not told of a kind that is switched off.
func TestMisspelledDisabled(t *testing.T) {
	t.Parallel()
	cfg := config.Default()
	cfg.Disable = []string{"no-ttl"}
	if got := diagnose(t, cfg, "setnxexpire", "func f() { no_ttl() } // locklint:ignore no-ttl kept"); len(got) > 0 {
		t.Errorf("got %q", got)
	}
}

// What comments silence is told to whoever asks, with the reason, and reported to nobody.
func TestSilenced(t *testing.T) {
	t.Parallel()
	const src = `func f() { no_ttl() } //locklint:ignore no-ttl kept for ever

func g() { no_ttl() } //nolint:locklint // by hand
func h() { no_ttl() } //nolint:locklint
func i() { no_ttl() } //nolint:errcheck // locklint
func j() { no_ttl() } //nolint
func k() { bad_args() } //locklint:ignore bad-args of use //nolint:locklint
//locklint:ignore setnx-expire of no use
//nolint:locklint // not now
func l() {
	no_ttl()
}
`
	type told struct{ kind, reason string }
	var got []told
	cfg := config.Default()
	cfg.Disable = []string{"bad-args"}
	cfg.Silenced = func(pass *analysis.Pass, d analysis.Diagnostic, reason string) {
		if pass.Analyzer.Name != "setnxexpire" {
			t.Errorf("told by %s", pass.Analyzer.Name)
		}
		got = append(got, told{d.Category, reason})
	}
	reported := diagnose(t, cfg, "setnxexpire", src)
	want := []told{{"no-ttl", "kept for ever"}, {"no-ttl", "by hand"}, {"no-ttl", ""}, {"no-ttl", "not now"}, {"ignore", "not now"}}
	if !slices.Equal(got, want) {
		t.Errorf("silenced %v, want %v", got, want)
	}
	if want := []string{"6 no-ttl text", "7 no-ttl text"}; !slices.Equal(reported, want) {
		t.Errorf("reported %q, want %q", reported, want)
	}

	// A driver that obeys //nolint by itself gets to see everything else.
	cfg.DriverNolint = true
	got = nil
	if n := len(diagnose(t, cfg, "setnxexpire", src)); n != 6 || len(got) != 1 {
		t.Errorf("%d reported and %v silenced", n, got)
	}
}

// A file that cgo copied is somebody's code all the same; one that a program made is
// not, copied or not.
func TestCopied(t *testing.T) {
	t.Parallel()
	const (
		header = "// Code generated by cmd/cgo; DO NOT EDIT.\n\n//line /src/a.go:1:1\n"
		code   = "package p\nfunc f() { no_ttl() }"
	)
	if got, want := diagnose(t, config.Default(), "setnxexpire", header+code), []string{"2 no-ttl text"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := diagnose(t, config.Default(), "setnxexpire", header+"// Code generated by hand. DO NOT EDIT.\n\n"+code); len(got) > 0 {
		t.Errorf("in a generated file: %q", got)
	}
}

func TestPrefix(t *testing.T) {
	t.Parallel()
	for prefix, want := range map[config.Prefix][]string{
		config.PrefixNone:     {"text", "locklint:ignore"},
		config.PrefixKind:     {"no-ttl: text", "ignore: locklint:ignore"},
		config.PrefixPassKind: {"setnxexpire/no-ttl: text", "setnxexpire/ignore: locklint:ignore"},
	} {
		cfg := config.Default()
		cfg.Prefix = prefix
		ds := diagnostics(t, cfg, "setnxexpire", "func f() { no_ttl() }\n//locklint:ignore")
		if len(ds) != 2 || ds[0].Message != want[0] || !strings.HasPrefix(ds[1].Message, want[1]) {
			t.Errorf("%d: got %+v", prefix, ds)
		}
	}
}

func TestDiagnostic(t *testing.T) {
	t.Parallel()
	cfg := config.Default()
	d := diagnostics(t, cfg, "setnxexpire", "func f() { no_ttl() }")[0]
	k, _ := kinds.ByName("no-ttl")
	if d.Category != k.Name || d.URL != k.URL() || !d.End.IsValid() || len(d.SuggestedFixes) != 1 {
		t.Errorf("got %+v", d)
	}
	if len(d.Related) != 1 || d.Related[0].Message != "see here" {
		t.Errorf("related positions %+v", d.Related)
	}

	cfg.NoRelated, cfg.Fixes = true, config.FixesNone
	d = diagnostics(t, cfg, "setnxexpire", "func f() { no_ttl() }")[0]
	if len(d.Related) != 0 || d.Message != "text; see here (file0.go:1)" {
		t.Errorf("without related positions: %+v", d)
	}
	if len(d.SuggestedFixes) != 0 {
		t.Errorf("without fixes: %+v", d.SuggestedFixes)
	}
}

// One finding at one place is told once; a kind that is not in the table never.
func TestRepeated(t *testing.T) {
	t.Parallel()
	p := universe.MustPackage(t, "example.com/m/p", "package p\nfunc f() {}")
	var n int
	cfg := config.Default()
	r := report.New(&analysis.Pass{
		Analyzer: &analysis.Analyzer{Name: "baredel"}, Fset: p.Fset, Files: p.Syntax, Report: func(analysis.Diagnostic) { n++ },
	}, &cfg)
	pos := p.Syntax[0].Name.Pos()
	for range 2 {
		r.Report(report.Finding{Kind: "unowned-release", Pos: pos, Text: "text"})
		r.Report(report.Finding{Kind: "get-del-race", Pos: pos, Text: "text"})
		r.Report(report.Finding{Kind: "no-such-kind", Pos: pos, Text: "text"})
		r.Report(report.Finding{Kind: "unowned-release", Text: "nowhere"})
	}
	if n != 2 {
		t.Errorf("%d reports", n)
	}
}

// Files of tests are left alone unless asked for.
func TestTestFiles(t *testing.T) {
	t.Parallel()
	p := universe.MustPackage(t, "example.com/m/p", "package p\nfunc f() { no_ttl() }\nfunc no_ttl() {}\n")
	if got := len(reportCalls(p, config.Default(), "setnxexpire")); got != 1 {
		t.Fatalf("%d reports in a file that is no test", got)
	}
	p = universe.MustPackage(t, "example.com/m/p", "//name a_test.go\npackage p\nfunc f() { no_ttl() }\nfunc no_ttl() {} //locklint:ignore no-ttl unused\n")
	cfg := config.Default()
	if got := len(reportCalls(p, cfg, "setnxexpire")); got != 0 {
		t.Errorf("%d reports in a test", got)
	}
	cfg.Tests = true
	if got := len(reportCalls(p, cfg, "setnxexpire")); got != 2 {
		t.Errorf("%d reports in a test with -tests", got)
	}
}
