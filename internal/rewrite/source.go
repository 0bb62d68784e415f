package rewrite

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/token"
	"os"
	"slices"
	"strings"
)

// A source is the text of one file.
type source struct {
	file    *ast.File
	tok     *token.File
	content []byte
	// tidy: gofmt would leave the file as it is.
	tidy bool
}

func (p *planner) source(file *ast.File) *source {
	if s, ok := p.sources[file]; ok {
		return s
	}
	p.sources[file] = nil
	tok := p.pass.Fset.File(file.FileStart)
	if tok == nil {
		return nil
	}
	read := p.pass.ReadFile
	if read == nil { // some drivers have none
		read = os.ReadFile
	}
	content, err := read(tok.Name())
	if err != nil || len(content) != tok.Size() {
		return nil // written by cgo, or changed meanwhile
	}
	s := &source{file: file, tok: tok, content: content}
	if formatted, err := format.Source(content); err == nil {
		s.tidy = bytes.Equal(formatted, content)
	}
	p.sources[file] = s
	return s
}

func (s *source) offset(pos token.Pos) int    { return s.tok.Offset(pos) }
func (s *source) pos(offset int) token.Pos    { return s.tok.Pos(offset) }
func (s *source) text(n ast.Node) string      { return s.slice(n.Pos(), n.End()) }
func (s *source) slice(a, b token.Pos) string { return string(s.content[s.offset(a):s.offset(b)]) }
func (s *source) lineStart(pos token.Pos) int {
	return bytes.LastIndexByte(s.content[:s.offset(pos)], '\n') + 1
}
func (s *source) before(pos token.Pos) string {
	return string(s.content[s.lineStart(pos):s.offset(pos)])
}

// lineEnd is the offset of the newline that ends the line of pos.
func (s *source) lineEnd(pos token.Pos) int {
	o := s.offset(pos)
	if i := bytes.IndexByte(s.content[o:], '\n'); i >= 0 {
		return o + i
	}
	return len(s.content)
}

// indent is the white space that the line of pos begins with.
func (s *source) indent(pos token.Pos) string {
	line := string(s.content[s.lineStart(pos):s.lineEnd(pos)])
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}

// after is where a new line goes that follows a node: behind its trailing comment.
func (s *source) after(n ast.Node) token.Pos {
	end := s.lineEnd(n.End())
	rest := strings.TrimSpace(string(s.content[s.offset(n.End()):end]))
	if rest == "" || strings.HasPrefix(rest, "//") {
		return s.pos(end)
	}
	return n.End()
}

// An edit replaces the text of a range.
type edit struct {
	pos, end token.Pos
	text     string
	imports  bool // adds or removes an import
	// shared is the command that frees the keys of several locks.
	shared *ast.CallExpr
}

// sortEdits orders edits and drops doubles; false if two of them overlap.
func sortEdits(edits []edit) ([]edit, bool) {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b edit) int {
		return cmp.Or(cmp.Compare(a.pos, b.pos), cmp.Compare(a.end, b.end))
	})
	edits = slices.Compact(edits)
	for i := 1; i < len(edits); i++ {
		if edits[i].pos < edits[i-1].end {
			return nil, false
		}
	}
	return edits, true
}

// apply returns the content of the file with the edits made, which are in order.
func (s *source) apply(edits []edit) []byte {
	var b bytes.Buffer
	last := 0
	for _, e := range edits {
		b.Write(s.content[last:s.offset(e.pos)])
		b.WriteString(e.text)
		last = s.offset(e.end)
	}
	b.Write(s.content[last:])
	return b.Bytes()
}

// tidied adds to edits what gofmt does to their result, as changes of whole lines,
// so that a driver that does not format leaves a formatted file too. A file that
// was not formatted before is left as it is otherwise.
func (s *source) tidied(edits []edit) ([]edit, error) {
	raw := s.apply(edits)
	out, err := format.Source(raw)
	if err != nil {
		return nil, fmt.Errorf("the result does not parse: %v", err)
	}
	if !s.tidy || bytes.Equal(out, raw) {
		return edits, nil
	}
	edits = s.diff(out, edits)
	if sorted, ok := sortEdits(edits); !ok || !bytes.Equal(s.apply(sorted), out) {
		return nil, errors.New("the result cannot be formatted in place")
	}
	return edits, nil
}

// diff returns edits that turn the file into out: runs of changed lines, each
// without what its old and new text share at either end. The edits of imports are
// kept as they were, so that they stay equal to those of other plans.
func (s *source) diff(out []byte, raw []edit) []edit {
	old, now := bytes.SplitAfter(s.content, []byte("\n")), bytes.SplitAfter(out, []byte("\n"))
	var edits []edit
	at, i, j := 0, 0, 0
	for _, m := range append(common(old, now), match{len(old), len(now), 0}) {
		a, b := bytes.Join(old[i:m.old], nil), bytes.Join(now[j:m.now], nil)
		if !bytes.Equal(a, b) {
			n := prefix(a, b)
			k := suffix(a[n:], b[n:])
			edits = append(edits, edit{pos: s.pos(at + n), end: s.pos(at + len(a) - k), text: string(b[n : len(b)-k])})
		}
		at += len(a)
		for k := range m.length {
			at += len(old[m.old+k])
		}
		i, j = m.old+m.length, m.now+m.length
	}
	first, last := s.file.Name.End(), s.file.Name.End()
	for _, decl := range s.file.Decls {
		if g, ok := decl.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
			last = s.pos(min(len(s.content), s.lineEnd(g.End())+1))
		}
	}
	edits = slices.DeleteFunc(edits, func(e edit) bool { return first <= e.pos && e.end <= last })
	for _, e := range raw {
		if first <= e.pos && e.end <= last {
			edits = append(edits, e)
		}
	}
	sorted, _ := sortEdits(edits)
	return sorted
}

// A match is a run of equal lines.
type match struct{ old, now, length int }

// common finds the longest common subsequence of lines, between the equal lines
// at both ends.
func common(old, now [][]byte) []match {
	var out []match
	head := 0
	for head < len(old) && head < len(now) && bytes.Equal(old[head], now[head]) {
		head++
	}
	tail := 0
	for tail < len(old)-head && tail < len(now)-head && bytes.Equal(old[len(old)-1-tail], now[len(now)-1-tail]) {
		tail++
	}
	out = append(out, match{0, 0, head})
	a, b := old[head:len(old)-tail], now[head:len(now)-tail]
	if len(a)*len(b) <= 4_000_000 {
		lcs := make([][]int32, len(a)+1)
		for i := range lcs {
			lcs[i] = make([]int32, len(b)+1)
		}
		for i := len(a) - 1; i >= 0; i-- {
			for j := len(b) - 1; j >= 0; j-- {
				if bytes.Equal(a[i], b[j]) {
					lcs[i][j] = lcs[i+1][j+1] + 1
				} else {
					lcs[i][j] = max(lcs[i+1][j], lcs[i][j+1])
				}
			}
		}
		for i, j := 0, 0; i < len(a) && j < len(b); {
			switch {
			case bytes.Equal(a[i], b[j]):
				out = append(out, match{head + i, head + j, 1})
				i, j = i+1, j+1
			case lcs[i+1][j] >= lcs[i][j+1]:
				i++
			default:
				j++
			}
		}
	}
	return append(out, match{len(old) - tail, len(now) - tail, tail})
}

func prefix(a, b []byte) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

func suffix(a, b []byte) int {
	n := 0
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}
