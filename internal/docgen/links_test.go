package docgen_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var link = regexp.MustCompile(`\]\(([^)#\s]*)(#[^)\s]*)?\)`)

// Links of the documentation lead to files and headings that are there.
func TestLinks(t *testing.T) {
	for _, name := range documents(t) {
		for _, m := range link.FindAllStringSubmatch(read(t, filepath.Join(root, name)), -1) {
			target, anchor := m[1], m[2]
			if strings.Contains(target, "://") {
				continue
			}
			file := filepath.Join(root, name)
			if target != "" {
				file = filepath.Join(filepath.Dir(file), filepath.FromSlash(target))
			}
			if _, err := os.Stat(file); err != nil {
				t.Errorf("%s: there is no %s", name, m[1])
				continue
			}
			if anchor != "" && !headings(read(t, file))[anchor[1:]] {
				t.Errorf("%s: %s has no heading for %s", name, m[1], anchor)
			}
		}
	}
}

// The index leads to every page of docs/.
func TestIndex(t *testing.T) {
	index := read(t, filepath.Join(root, "docs", "README.md"))
	for _, name := range documents(t) {
		if rel, ok := strings.CutPrefix(filepath.ToSlash(name), "docs/"); ok && rel != "README.md" && !strings.Contains(index, "("+rel+")") {
			t.Errorf("docs/README.md does not mention %s", rel)
		}
	}
}

// documents lists the Markdown files of the repository.
func documents(t *testing.T) []string {
	t.Helper()
	var out []string
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/*/*.md", "testdata/*.md", "examples/*.md", "bench/*.md"} {
		files, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			rel, err := filepath.Rel(root, f)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, rel)
		}
	}
	return out
}

var notInAnchor = regexp.MustCompile(`[^\p{L}\p{N} _-]`)

// headings are the anchors that GitHub makes of the headings of a file.
func headings(text string) map[string]bool {
	out := map[string]bool{}
	for line := range strings.Lines(text) {
		if title, ok := strings.CutPrefix(strings.TrimLeft(line, "#"), " "); ok && strings.HasPrefix(line, "#") {
			out[strings.ReplaceAll(notInAnchor.ReplaceAllString(strings.ToLower(strings.TrimSpace(title)), ""), " ", "-")] = true
		}
	}
	return out
}
