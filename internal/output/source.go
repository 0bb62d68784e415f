package output

import (
	"go/token"
	"os"
	"strings"
)

// sources reads each file once. One that cannot be read is empty: positions then have
// to do without its text.
type sources map[string]string

func (s sources) text(file string) string {
	text, ok := s[file]
	if !ok {
		data, _ := os.ReadFile(file)
		text = string(data)
		s[file] = text
	}
	return text
}

// offset finds a position by its line and column. Its own Offset may belong to another
// file: to the copy that cgo makes.
func (s sources) offset(p token.Position) (int, bool) {
	text := s.text(p.Filename)
	start := 0
	for range p.Line - 1 {
		n := strings.IndexByte(text[start:], '\n')
		if n < 0 {
			return 0, false
		}
		start += n + 1
	}
	at := start + p.Column - 1
	return at, p.Line > 0 && p.Column > 0 && at <= len(text) && !strings.Contains(text[start:at], "\n")
}

// code is the text from pos to end, or else the line of pos.
func (s sources) code(pos, end token.Position) string {
	text := s.text(pos.Filename)
	from, ok := s.offset(pos)
	if !ok {
		return ""
	}
	if to, ok := s.offset(end); ok && end.Filename == pos.Filename && from < to {
		return text[from:to]
	}
	from = strings.LastIndexByte(text[:from], '\n') + 1
	line, _, _ := strings.Cut(text[from:], "\n")
	return line
}
