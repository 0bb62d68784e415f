package output

import (
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCaret(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		line, part, want string
	}{
		{"\tok := c.Lock(a)", "c.Lock(a)", "\t      ^~~~~~~~~"},
		{"\tf(\"锁\", a)", "a", "\t        ^"},
		{"f(\"锁\")", "\"锁\"", "  ^~~~"},
		{"x", "x", "^"},
	} {
		col := strings.Index(tt.line, tt.part) + 1
		pos := token.Position{Line: 1, Column: col}
		end := token.Position{Line: 1, Column: col + len(tt.part)}
		if got := caret(tt.line, pos, end); got != tt.want {
			t.Errorf("%q:\n%s\n%s, want\n%s", tt.line, tt.line, got, tt.want)
		}
	}
	// Code that goes on in the next line is marked to the end of this one.
	if got := caret("\tgo func() { ", token.Position{Line: 1, Column: 2}, token.Position{Line: 3, Column: 2}); got != "\t^~~~~~~~~~~" {
		t.Errorf("several lines: %q", got)
	}
	// Positions beyond the line, as in a file that shrank, do not panic.
	for _, col := range []int{0, 1, 9} {
		caret("ab", token.Position{Line: 1, Column: col}, token.Position{Line: 1, Column: col + 4})
	}
}

func TestColors(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "a.go")
	if err := os.WriteFile(file, []byte("package a\r\n\r\nvar x = 1\r\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	f := Finding{Pass: "p", Kind: "k", Message: "m", Pos: token.Position{Filename: file, Line: 3, Column: 5}}
	for _, color := range []bool{true, false} {
		var b strings.Builder
		text := Text{W: &b, Base: filepath.Dir(file), Color: color}
		if err := text.Print([]Finding{f}); err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(b.String(), "\x1b["); got != color {
			t.Errorf("colour %v: %q", color, b.String())
		}
		if strings.Contains(b.String(), "\r") {
			t.Errorf("a carriage return in %q", b.String())
		}
		if plain := "a.go:3:5: p/k: m\n  3 | var x = 1\n    |     ^~~~~\n"; !color && b.String() != plain {
			t.Errorf("got %q, want %q", b.String(), plain)
		}
	}
}

func TestRegion(t *testing.T) {
	t.Parallel()
	const text = "a\n锁b\nc"
	b := strings.Index(text, "b")
	if got, want := region(text, b, len(text)), (sarifRegion{2, 2, 3, 2}); got != want {
		t.Errorf("region %+v, want %+v", got, want)
	}
	if got, want := region(text, 0, 99), (sarifRegion{1, 1, 3, 2}); got != want {
		t.Errorf("region beyond the end %+v, want %+v", got, want)
	}
}

func TestRepositoryRoot(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	sub := filepath.Join(dir, "a", "b")
	if err := os.MkdirAll(sub, 0o755); err != nil {
		t.Fatal(err)
	}
	if got := RepositoryRoot(sub); got != sub {
		t.Errorf("without .git: %s, want %s", got, sub)
	}
	// In a worktree .git is a file.
	if err := os.WriteFile(filepath.Join(dir, ".git"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if got := RepositoryRoot(sub); got != dir {
		t.Errorf("with .git: %s, want %s", got, dir)
	}
}
