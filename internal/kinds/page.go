package kinds

import (
	"embed"
	"fmt"
	"strings"
	"sync"

	"golang.org/x/tools/txtar"
)

// A Page is what the documentation says about a kind. Help, the pages in docs/ and
// the rules of a SARIF file are all made from it.
type Page struct {
	What   string   // what is reported
	Why    string   // what goes wrong, and what to do instead
	Bad    string   // a Go file with the fault
	Good   string   // the same file without it
	Silent []string // what looks alike and is not reported
	Race   string   // the fault as a mermaid sequence diagram
	See    []Link
}

// A Link is a reference for further reading.
type Link struct{ Title, URL string }

//go:embed pages/*.txt
var files embed.FS

var pages = sync.OnceValues(func() (map[string]Page, error) {
	all := map[string]Page{}
	for _, k := range All {
		text, err := files.ReadFile("pages/" + k.Name + ".txt")
		if err != nil {
			return all, fmt.Errorf("kind %s has no page: %w", k.Name, err)
		}
		p, err := parsePage(text)
		if err != nil {
			return all, fmt.Errorf("pages/%s.txt: %w", k.Name, err)
		}
		all[k.Name] = p
	}
	return all, nil
})

// Page is the documentation of the kind, from pages/NAME.txt. It is empty for a
// kind that is not in the table.
func (k Kind) Page() Page {
	all, _ := pages() // the tests of this package report the error
	return all[k.Name]
}

// parsePage reads a txtar archive with one part for each field of a Page.
func parsePage(text []byte) (Page, error) {
	parts := map[string]string{}
	for _, f := range txtar.Parse(text).Files {
		parts[f.Name] = strings.TrimSpace(string(f.Data))
	}
	var p Page
	for name, to := range map[string]*string{"what": &p.What, "why": &p.Why, "bad.go": &p.Bad, "good.go": &p.Good, "race": &p.Race} {
		if parts[name] == "" {
			return p, fmt.Errorf("part %s is missing", name)
		}
		*to = parts[name] + "\n"
		delete(parts, name)
	}
	if parts["silent"] == "" {
		return p, fmt.Errorf("part silent is missing")
	}
	p.Silent = strings.Split(parts["silent"], "\n")
	for line := range strings.SplitSeq(parts["see"], "\n") {
		title, url, ok := strings.Cut(line, ": https://")
		if !ok {
			return p, fmt.Errorf("see: %q is not title: https://…", line)
		}
		p.See = append(p.See, Link{title, "https://" + url})
	}
	delete(parts, "silent")
	delete(parts, "see")
	for name := range parts {
		return p, fmt.Errorf("there is no part %q of a page", name)
	}
	return p, nil
}

// Snippet is a Go file without its package clause and imports.
func Snippet(file string) string {
	if _, rest, ok := strings.Cut(file, "\n)\n"); ok {
		return strings.TrimSpace(rest) + "\n"
	}
	return file
}

// Text is the page as plain text, for a terminal.
func (k Kind) Text() string {
	p := k.Page()
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s\nFaulty:\n\n%s\nRight:\n\n%s\nSilent where\n\n", p.What, p.Why, indent(Snippet(p.Bad)), indent(Snippet(p.Good)))
	for _, s := range p.Silent {
		fmt.Fprintf(&b, "  - %s\n", s)
	}
	fmt.Fprintf(&b, "\nTo keep one such place, say why on its line or on the line above:\n\n\t//locklint:ignore %s reason\n", k.Name)
	return b.String()
}

func indent(code string) string {
	lines := strings.Split(strings.TrimRight(code, "\n"), "\n")
	for i, l := range lines {
		if l != "" {
			lines[i] = "\t" + l
		}
	}
	return strings.Join(lines, "\n") + "\n"
}
