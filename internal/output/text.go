package output

import (
	"bytes"
	"fmt"
	"go/token"
	"io"
	"strings"
	"unicode/utf8"
)

// Text writes findings for people.
type Text struct {
	W       io.Writer
	Base    string // positions below this directory are written relative to it
	Color   bool
	Context int // lines around the source line; negative: no source at all

	src sources
}

const (
	bold  = "\x1b[1m"
	red   = "\x1b[31m"
	faint = "\x1b[2m"
	reset = "\x1b[0m"
)

// Print writes the findings: the position and message as go vet does, the line
// with a caret under the code that is meant, and the related positions.
func (t *Text) Print(findings []Finding) error {
	var b bytes.Buffer
	for i := range findings {
		f := &findings[i]
		fmt.Fprintf(&b, "%s %s %s\n", t.paint(bold, t.position(f.Pos)+":"), t.paint(red, f.Rule()+":"), f.Message)
		t.source(&b, f.Pos, f.End)
		for _, r := range f.Related {
			fmt.Fprintf(&b, "\t%s %s\n", t.paint(faint, t.position(r.Pos)+":"), r.Message)
		}
	}
	_, err := t.W.Write(b.Bytes())
	return err
}

func (t *Text) position(p token.Position) string {
	p.Filename = Rel(t.Base, p.Filename)
	return p.String()
}

func (t *Text) paint(code, s string) string {
	if !t.Color {
		return s
	}
	return code + s + reset
}

// source writes the line at pos, a caret below it, and the lines around.
func (t *Text) source(b *bytes.Buffer, pos, end token.Position) {
	if t.Context < 0 {
		return
	}
	lines := t.lines(pos.Filename)
	if pos.Line < 1 || pos.Line > len(lines) {
		return
	}
	first := max(1, pos.Line-t.Context)
	last := min(len(lines), pos.Line+t.Context)
	width := len(fmt.Sprint(last))
	for n := first; n <= last; n++ {
		fmt.Fprintf(b, "%*d | %s\n", width+2, n, lines[n-1])
		if n == pos.Line {
			fmt.Fprintf(b, "%*s | %s\n", width+2, "", t.paint(red, caret(lines[n-1], pos, end)))
		}
	}
}

// caret marks the code from pos to end, or to the end of the line. Columns count
// bytes; tabs are kept so that the mark stands below what it means.
func caret(line string, pos, end token.Position) string {
	start := min(max(pos.Column-1, 0), len(line))
	stop := len(strings.TrimRight(line, " \t"))
	if end.IsValid() && end.Line == pos.Line {
		stop = min(end.Column-1, len(line))
	}
	var b strings.Builder
	for _, r := range line[:start] {
		if r == '\t' {
			b.WriteByte('\t')
		} else {
			b.WriteString(strings.Repeat(" ", columns(r)))
		}
	}
	n := 0
	for _, r := range line[start:max(start, stop)] {
		n += columns(r)
	}
	b.WriteByte('^')
	b.WriteString(strings.Repeat("~", max(0, n-1)))
	return b.String()
}

// columns is the room that a terminal gives to r: two for the wide scripts of
// East Asia, which stand in comments and keys.
func columns(r rune) int {
	switch {
	case r >= 0x1100 && r <= 0x115f, r >= 0x2e80 && r <= 0xa4cf, r >= 0xac00 && r <= 0xd7a3,
		r >= 0xf900 && r <= 0xfaff, r >= 0xfe30 && r <= 0xfe6f, r >= 0xff00 && r <= 0xff60,
		r >= 0x1f300 && r <= 0x1faff, r >= 0x20000 && r <= 0x3fffd:
		return 2
	}
	return 1
}

// lines are those of a file, none if it is no text.
func (t *Text) lines(file string) []string {
	if t.src == nil {
		t.src = sources{}
	}
	text := t.src.text(file)
	if text == "" || !utf8.ValidString(text) {
		return nil
	}
	return strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
}
