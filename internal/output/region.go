package output

import (
	"go/token"
	"net/url"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

const srcRoot = "%SRCROOT%"

// regions turns positions, which count bytes, into regions, which count code points.
type regions struct {
	root string
	src  sources
}

func (c *regions) place(pos, end token.Position) sarifPhysical {
	if !end.IsValid() || end.Filename != pos.Filename {
		end = pos
		end.Column++
	}
	return sarifPhysical{
		Artifact: c.location(pos.Filename),
		Region: sarifRegion{
			StartLine: pos.Line, StartColumn: c.column(pos),
			EndLine: end.Line, EndColumn: c.column(end),
		},
	}
}

func (c *regions) location(file string) sarifLocation {
	rel := Rel(c.root, file)
	if rel == file {
		return sarifLocation{URI: fileURI(file)}
	}
	return sarifLocation{URI: (&url.URL{Path: filepath.ToSlash(rel)}).EscapedPath(), BaseID: srcRoot}
}

// column counts code points, where a token.Position counts bytes.
func (c *regions) column(p token.Position) int {
	at, ok := c.src.offset(p)
	if !ok {
		return p.Column // of a file that changed, or cannot be read
	}
	return utf8.RuneCountInString(c.src.text(p.Filename)[at-(p.Column-1):at]) + 1
}

func (c *regions) fix(fix Fix) sarifFix {
	out := sarifFix{Description: sarifText{Text: fix.Message}}
	byFile := map[string]int{}
	for _, e := range fix.Edits {
		i, ok := byFile[e.File]
		if !ok {
			i = len(out.Changes)
			byFile[e.File] = i
			out.Changes = append(out.Changes, sarifChange{Artifact: c.location(e.File)})
		}
		text := c.src.text(e.File)
		// reviewdog 0.21 panics where a deletion has no content, which the standard allows.
		r := sarifReplacement{region(text, e.Start, e.End), sarifText{Text: e.New}}
		out.Changes[i].Replacements = append(out.Changes[i].Replacements, r)
	}
	return out
}

// region gives the lines and code points of text[start:end].
func region(text string, start, end int) sarifRegion {
	at := func(offset int) (line, column int) {
		before := text[:min(offset, len(text))]
		last := strings.LastIndexByte(before, '\n')
		return strings.Count(before, "\n") + 1, utf8.RuneCountInString(before[last+1:]) + 1
	}
	var r sarifRegion
	r.StartLine, r.StartColumn = at(start)
	r.EndLine, r.EndColumn = at(end)
	return r
}

func fileURI(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // a Windows drive
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}
