// Package docgen writes the pages of docs/ and the generated parts of the READMEs
// from what "locklint help" prints: each pass's doc.go, the table of kinds, the
// flags. Its test fails if a file is stale; with -update it writes them:
//
//	go test ./internal/docgen -update
package docgen

import (
	"flag"
	"fmt"
	"go/ast"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"strings"

	"github.com/locklint/locklint/internal/config"
	"github.com/locklint/locklint/internal/kinds"
)

const made = "<!-- Made by \"go test ./internal/docgen -update\" from %s: edit that. -->\n\n"

// A Run is what the program says about the faulty code of a kind.
type Run struct {
	Findings string // as printed
	Diff     string // of -diff; empty if there is no fix
}

// KindPage is docs/kinds/NAME.md.
func KindPage(k kinds.Kind, run Run) string {
	p := k.Page()
	var b strings.Builder
	fmt.Fprintf(&b, made, "internal/kinds/pages/"+k.Name+".txt")
	fmt.Fprintf(&b, "# %s\n\n%s.\n\n", k.Name, upper(k.Title))
	fmt.Fprintf(&b, "Pass [%s](../passes/%s.md), %s, fix: %s, since %s. [All kinds](../README.md#kinds)\n\n", k.Pass, k.Pass, onOff(k.Default), fixWords[k.Fix], k.Since)
	fmt.Fprintf(&b, "## What is reported\n\n%s\n", p.What)
	fmt.Fprintf(&b, "## What goes wrong\n\n```mermaid\n%s```\n\n%s\n", p.Race, p.Why)
	fmt.Fprintf(&b, "## Faulty\n\n%s\n%s\n", fenced("go", kinds.Snippet(p.Bad)), fenced("text", run.Findings))
	fmt.Fprintf(&b, "## Right\n\n%s\n", fenced("go", kinds.Snippet(p.Good)))
	if run.Diff != "" {
		fmt.Fprintf(&b, "## What -fix writes\n\n`locklint %s-fix` turns the faulty code above into this; `-diff` shows it and writes nothing.\n\n%s\n", allFixes(k), fenced("diff", run.Diff))
	}
	b.WriteString("## When it is silent\n\n")
	for _, s := range p.Silent {
		fmt.Fprintf(&b, "- %s\n", s)
	}
	fmt.Fprintf(&b, "\n[Is this key a lock?](../is-this-key-a-lock.md) tells what counts as evidence; `locklint -why file.go:line` tells what was found at a line.\n\n")
	fmt.Fprintf(&b, "## How to suppress it\n\nOn the line of the report or on the line above, with a reason:\n\n%s\n", fenced("go", "//locklint:ignore "+k.Name+" why this one is right\n"))
	fmt.Fprintf(&b, "`locklint -disable=%s` switches the kind off, `-not-lock=prefix` says that keys are no locks.\n\n", k.Name)
	b.WriteString("## References\n\n")
	for _, l := range p.See {
		fmt.Fprintf(&b, "- [%s](%s)\n", l.Title, l.URL)
	}
	return b.String()
}

var fixWords = map[kinds.FixClass]string{
	kinds.FixSafe:      "safe",
	kinds.FixSuggested: "suggested (`-fixes=all`)",
	kinds.FixNone:      "none, the message says what to do",
}

func allFixes(k kinds.Kind) string {
	if k.Fix == kinds.FixSuggested {
		return "-fixes=all "
	}
	return ""
}

// PassPage is docs/passes/NAME.md; doc is the text of the pass's doc.go.
func PassPage(name, doc string) string {
	var b strings.Builder
	fmt.Fprintf(&b, made, "passes/"+name+"/doc.go")
	_, text, _ := strings.Cut(doc, ": ")
	title, rest, _ := strings.Cut(text, "\n")
	fmt.Fprintf(&b, "# %s\n\n%s.\n\n%s\n", name, upper(title), Markdown(rest))
	fmt.Fprintf(&b, "## Kinds\n\n%s\n", KindTable(kinds.OfPass(name), "../kinds/", false))
	first := kinds.OfPass(name)[0]
	fmt.Fprintf(&b, "## The race\n\nOf [%s](../kinds/%s.md):\n\n```mermaid\n%s```\n\n", first.Name, first.Name, first.Page().Race)
	fmt.Fprintf(&b, "## How to switch it off\n\n`locklint -%s=false` runs the other passes, `-disable=kind` switches off one kind, and\n`//locklint:ignore kind reason` keeps one place.\n", name)
	return b.String()
}

// Markdown turns the text of a Go doc comment into Markdown.
func Markdown(text string) string {
	var p comment.Parser
	pr := comment.Printer{HeadingLevel: 2, HeadingID: func(*comment.Heading) string { return "" }}
	return strings.ReplaceAll(goFences(string(pr.Markdown(p.Parse(text)))), "\t", "    ")
}

// goFences marks indented code as Go, so that it is coloured.
func goFences(md string) string {
	var out []string
	in := false
	for line := range strings.SplitSeq(md, "\n") {
		code, is := strings.CutPrefix(line, "\t")
		switch {
		case is && !in:
			out, in = append(out, "```go"), true
		case !is && in && line == "":
			out, in = append(out, "```"), false
		}
		out = append(out, code)
	}
	return strings.Join(out, "\n")
}

// KindTable lists kinds with links to their pages below dir.
func KindTable(list []kinds.Kind, dir string, chinese bool) string {
	var b strings.Builder
	if chinese {
		b.WriteString("| 种类 | Pass | 含义 | 修复 |\n|---|---|---|---|\n")
	} else {
		b.WriteString("| Kind | Pass | What it says | Fix |\n|---|---|---|---|\n")
	}
	for _, k := range list {
		title := k.Title
		if chinese {
			title = k.Chinese
		}
		fmt.Fprintf(&b, "| [%s](%s%s.md) | %s | %s | %s |\n", k.Name, dir, k.Name, k.Pass, title, k.Fix)
	}
	return b.String()
}

// SettingsTable lists the settings, from the flags that set them.
func SettingsTable() string {
	cfg := config.Default()
	fs := flag.NewFlagSet("", flag.ContinueOnError)
	cfg.Bind(fs)
	var b strings.Builder
	b.WriteString("| Setting | Value | What it does | Default |\n|---|---|---|---|\n")
	fs.VisitAll(func(f *flag.Flag) {
		value, usage := flag.UnquoteUsage(f)
		if value == "" {
			value = "bool"
		}
		def := f.DefValue
		if def == "" {
			def = "none"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", f.Name, value, usage, def)
	})
	return b.String()
}

// Func returns the source of a function or method, with its comment, and the lines
// it stands on.
func Func(src, name string) (code string, first, last int, err error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", src, parser.ParseComments)
	if err != nil {
		return "", 0, 0, err
	}
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Name.Name != name {
			continue
		}
		pos := fn.Pos()
		if fn.Doc != nil {
			pos = fn.Doc.Pos()
		}
		from, to := fset.Position(pos), fset.Position(fn.End())
		return src[from.Offset:to.Offset] + "\n", from.Line, to.Line, nil
	}
	return "", 0, 0, fmt.Errorf("there is no function %s", name)
}

// Fill replaces each part of text between "<!-- begin NAME -->" and "<!-- end -->"
// by what part returns for NAME.
func Fill(text string, part func(name string) (string, error)) (string, error) {
	const begin, end = "<!-- begin ", "<!-- end -->"
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(text, begin)
		b.WriteString(before)
		if !ok {
			return b.String(), nil
		}
		name, rest, ok := strings.Cut(rest, " -->")
		if !ok {
			return "", fmt.Errorf("a begin is not closed")
		}
		_, after, ok := strings.Cut(rest, end)
		if !ok {
			return "", fmt.Errorf("%s has no end", name)
		}
		body, err := part(name)
		if err != nil {
			return "", fmt.Errorf("%s: %w", name, err)
		}
		fmt.Fprintf(&b, "%s%s -->\n\n%s\n%s", begin, name, body, end)
		text = after
	}
}

func fenced(lang, code string) string {
	return "```" + lang + "\n" + strings.TrimRight(code, "\n") + "\n```\n"
}

func onOff(on bool) string {
	if on {
		return "on by default"
	}
	return "off by default"
}

func upper(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
