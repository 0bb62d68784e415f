package docgen_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/locklint/locklint"
	"github.com/locklint/locklint/internal/docgen"
	"github.com/locklint/locklint/internal/kinds"
	"github.com/locklint/locklint/internal/passdoc"
)

var update = flag.Bool("update", false, "write the generated files instead of comparing them")

// Every generated file is as its sources make it.
func TestFresh(t *testing.T) {
	want := map[string]string{}
	said := runs(t)
	for _, k := range kinds.All {
		want["docs/kinds/"+k.Name+".md"] = docgen.KindPage(k, said[k.Name])
	}
	cfg := locklint.DefaultConfig()
	for _, a := range locklint.Analyzers(&cfg) {
		doc, err := passdoc.Pass(read(t, filepath.Join(root, "passes", a.Name, "doc.go")), a.Name)
		if err != nil {
			t.Fatal(err)
		}
		want["docs/passes/"+a.Name+".md"] = docgen.PassPage(a.Name, doc)
	}
	fill := parts(t)
	for _, name := range []string{"README.md", "README.zh-CN.md", "docs/README.md", "docs/settings.md"} {
		text, err := docgen.Fill(read(t, filepath.Join(root, name)), fill)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		want[name] = text
	}
	for name, text := range want {
		file := filepath.Join(root, filepath.FromSlash(name))
		if *update {
			write(t, file, text)
		} else if got, _ := os.ReadFile(file); string(got) != text {
			t.Errorf("%s is stale; run go test ./internal/docgen -update", name)
		}
	}
	for _, dir := range []string{"docs/kinds", "docs/passes"} {
		files, err := filepath.Glob(filepath.Join(root, dir, "*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if name := dir + "/" + filepath.Base(f); want[name] == "" {
				t.Errorf("%s belongs to no kind or pass; remove it", name)
			}
		}
	}
}

// parts makes the generated parts of the READMEs by name:
//
//	kinds, kinds-docs, kinds-zh      the table of kinds
//	settings                         the table of settings
//	func FILE NAME                   the source of a function
//	fault FILE NAME                  the same, and what the program says about it
//	fix FILE NAME                    what -diff says about it
func parts(t *testing.T) func(string) (string, error) {
	t.Helper()
	dir := filepath.Join(root, "examples")
	said := findings(lint(t, dir, "./orders/..."))
	changed := diffs(lint(t, dir, "-diff", "./orders/..."))
	for _, k := range kinds.All {
		if part(said, k.Pass+"/"+k.Name+": ") == "" {
			t.Errorf("examples/orders/broken has no %s", k.Name)
		}
	}
	if s := part(said, "orders/fixed/"); s != "" {
		t.Errorf("examples/orders/fixed is not right:\n%s", s)
	}
	return func(name string) (string, error) {
		args := strings.Fields(name)
		switch {
		case name == "kinds":
			return docgen.KindTable(kinds.All, "docs/kinds/", false), nil
		case name == "kinds-docs":
			return docgen.KindTable(kinds.All, "kinds/", false), nil
		case name == "kinds-zh":
			return docgen.KindTable(kinds.All, "docs/kinds/", true), nil
		case name == "settings":
			return docgen.SettingsTable(), nil
		case len(args) != 3:
			return "", fmt.Errorf("there is no such part")
		}
		code, first, last, err := docgen.Func(read(t, filepath.Join(dir, args[1])), args[2])
		if err != nil {
			return "", err
		}
		switch args[0] {
		case "func":
			return "```go\n" + code + "```\n", nil
		case "fault":
			out := ""
			for _, f := range said {
				if line, ok := at(f, args[1]); ok && first <= line && line <= last {
					out += f
				}
			}
			if out == "" {
				return "", fmt.Errorf("nothing is reported")
			}
			return "```go\n" + code + "```\n\n```text\n" + out + "```\n", nil
		case "fix":
			for _, d := range changed {
				if strings.Contains(d, "a/"+args[1]+"\n") {
					return "```diff\n" + d + "```\n", nil
				}
			}
			return "", fmt.Errorf("no fix is offered")
		}
		return "", fmt.Errorf("there is no such part")
	}
}

// at is the line of a finding, if it is in file.
func at(finding, file string) (line int, ok bool) {
	rest, ok := strings.CutPrefix(finding, file+":")
	if !ok {
		return 0, false
	}
	number, _, _ := strings.Cut(rest, ":")
	line, err := strconv.Atoi(number)
	return line, err == nil
}

func TestFill(t *testing.T) {
	part := func(name string) (string, error) { return "<" + name + ">\n", nil }
	got, err := docgen.Fill("a <!-- begin x y -->old<!-- end --> b <!-- begin z --><!-- end -->", part)
	if want := "a <!-- begin x y -->\n\n<x y>\n\n<!-- end --> b <!-- begin z -->\n\n<z>\n\n<!-- end -->"; err != nil || got != want {
		t.Errorf("got %q, %v", got, err)
	}
	if again, err := docgen.Fill(got, part); err != nil || again != got {
		t.Errorf("a second time: %q, %v", again, err)
	}
	for _, bad := range []string{"<!-- begin x", "<!-- begin x -->"} {
		if _, err := docgen.Fill(bad, part); err == nil {
			t.Errorf("no error for %q", bad)
		}
	}
}

func TestFunc(t *testing.T) {
	src := "package p\n\n// F is.\nfunc F() {\n}\n\nfunc (T) M() {}\n"
	code, first, last, err := docgen.Func(src, "F")
	if code != "// F is.\nfunc F() {\n}\n" || first != 3 || last != 5 || err != nil {
		t.Errorf("got %q, %d, %d, %v", code, first, last, err)
	}
	if _, _, _, err := docgen.Func(src, "G"); err == nil {
		t.Error("no error for a function that is not there")
	}
}

func TestMarkdown(t *testing.T) {
	got := docgen.Markdown("One.\n\n\ta := 1\n\tb := 2\n\nTwo.\n")
	if want := "One.\n\n```go\na := 1\nb := 2\n```\n\nTwo.\n"; got != want {
		t.Errorf("got %q", got)
	}
}

// The two READMEs have the same code, commands and outputs.
func TestReadmesAgree(t *testing.T) {
	english, chinese := blocks(read(t, filepath.Join(root, "README.md"))), blocks(read(t, filepath.Join(root, "README.zh-CN.md")))
	if len(english) != len(chinese) {
		t.Errorf("%d blocks in English, %d in Chinese", len(english), len(chinese))
	}
	for i := range min(len(english), len(chinese)) {
		if english[i] != chinese[i] {
			t.Errorf("block %d:\n%s\nand in Chinese:\n%s", i, english[i], chinese[i])
		}
	}
}

// blocks lists the fenced blocks of a Markdown file, each with the comment before it.
func blocks(text string) []string {
	var out []string
	comment, in := "", false
	for line := range strings.Lines(text) {
		switch {
		case strings.HasPrefix(line, "```"):
			if !in {
				out = append(out, comment)
			}
			in, comment = !in, ""
		case strings.HasPrefix(line, "<!-- ") && !in:
			comment = line
			continue
		}
		if in {
			out[len(out)-1] += line
		}
	}
	return out
}

// The form for a missed fault offers every kind.
func TestIssueForm(t *testing.T) {
	form := read(t, filepath.Join(root, ".github", "ISSUE_TEMPLATE", "missed-fault.yml"))
	for _, k := range kinds.All {
		if !strings.Contains(form, "        - "+k.Name+"\n") {
			t.Errorf("missed-fault.yml does not offer %s", k.Name)
		}
	}
}
