package apply

import (
	"errors"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/locklint/locklint/internal/output"
)

const source = "package p\n\nfunc f() {\n\ta()\n\tb()\n\tc()\n}\n"

// finding makes one whose fix replaces each old text by the new one.
func finding(file string, oldnew ...string) output.Finding {
	var edits []output.Edit
	for i := 0; i < len(oldnew); i += 2 {
		at := strings.Index(source, oldnew[i])
		edits = append(edits, output.Edit{File: file, Start: at, End: at + len(oldnew[i]), New: oldnew[i+1]})
	}
	return output.Finding{Main: true, Pos: token.Position{Filename: file}, Fixes: []output.Fix{{Edits: edits}}}
}

func same(string, []byte) bool { return true }

func TestPlan(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "a.go")
	if err := os.WriteFile(file, []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	generated := finding(file, "a()", "x()")
	generated.Generated = true
	foreign := finding(file, "a()", "x()")
	foreign.Main = false
	for _, tt := range []struct {
		name     string
		findings []output.Finding
		want     string // lines of the body, "" if nothing changes
		left     int
		err      string
	}{
		{"one", []output.Finding{finding(file, "a()", "x()")}, "x() b() c()", 0, ""},
		{"two apart", []output.Finding{finding(file, "c()", "z()"), finding(file, "a()", "x()")}, "x() b() z()", 0, ""},
		{"equal edits are made once", []output.Finding{finding(file, "a()", "x()", "c()", "z()"), finding(file, "a()", "x()", "c()", "z()")}, "x() b() z()", 0, ""},
		{"an overlap leaves the second out, whole", []output.Finding{finding(file, "a()", "x()"), finding(file, "c()", "z()", "a()", "y()")}, "x() b() c()", 1, "run again"},
		{"broken code is not written", []output.Finding{finding(file, "a()", "x(")}, "", 1, "would break it"},
		{"a generated file is left alone", []output.Finding{generated}, "", 1, ""},
		{"a dependency is left alone", []output.Finding{foreign}, "", 1, "belongs to a dependency"},
		{"without a fix", []output.Finding{{Main: true}}, "", 1, ""},
		{"a file that is gone", []output.Finding{finding(file+"x", "a()", "x()")}, "", 1, "no such file"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := Plan(tt.findings, same)
			got := ""
			for _, c := range r.Changes {
				body := string(c.New)
				body = body[strings.Index(body, "{")+1 : strings.LastIndex(body, "}")]
				got += strings.Join(strings.Fields(body), " ")
			}
			if got != tt.want {
				t.Errorf("body is %q, want %q", got, tt.want)
			}
			if len(r.Left) != tt.left || len(r.Fixed) != len(tt.findings)-tt.left {
				t.Errorf("%d fixed, %d left; want %d left", len(r.Fixed), len(r.Left), tt.left)
			}
			switch {
			case tt.err == "" && len(r.Errors) > 0:
				t.Errorf("errors %v", r.Errors)
			case tt.err != "" && (len(r.Errors) != 1 || !strings.Contains(r.Errors[0].Error(), tt.err)):
				t.Errorf("errors %v, want one with %q", r.Errors, tt.err)
			}
		})
	}
}

func TestInsertions(t *testing.T) {
	t.Parallel()
	x := output.Edit{Start: 5, End: 5, New: "x"}
	y := output.Edit{Start: 5, End: 5, New: "y"}
	del := output.Edit{Start: 5, End: 8}
	edits, ok := insert(nil, x)
	edits, ok2 := insert(edits, y)
	edits, ok3 := insert(edits, x)
	edits, ok4 := insert(edits, del)
	if !ok || !ok2 || !ok3 || !ok4 {
		t.Fatal("insertions at one point, or before a deletion, do not conflict")
	}
	if got := string(applied([]byte("01234567"), edits)); got != "01234xy" {
		t.Errorf("applied: %q, want 01234xy", got)
	}
	if _, ok := insert(edits, output.Edit{Start: 6, End: 6, New: "z"}); ok {
		t.Error("an insertion into deleted text does not conflict")
	}
}

func TestChanged(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "a.go")
	if err := os.WriteFile(file, []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	r := Plan([]output.Finding{finding(file, "a()", "x()")}, func(string, []byte) bool { return false })
	if len(r.Changes) > 0 || len(r.Left) != 1 || len(r.Errors) != 1 || !strings.Contains(r.Errors[0].Error(), "changed while") {
		t.Errorf("a file that changed meanwhile: %+v", r)
	}
}

func TestWriteFails(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a.go"), filepath.Join(dir, "b.go")
	for _, f := range []string{a, b} {
		if err := os.WriteFile(f, []byte(source), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	r := Plan([]output.Finding{finding(a, "a()", "x()"), finding(b, "a()", "x()")}, same)
	var wrote []string
	r.Write(func(name string, data []byte) error {
		if name == a {
			return errors.New("disk full")
		}
		wrote = append(wrote, name)
		return nil
	})
	if len(wrote) != 1 || len(r.Fixed) != 1 || len(r.Left) != 1 || r.Left[0].Pos.Filename != a || len(r.Errors) != 1 {
		t.Errorf("wrote %v, result %+v", wrote, r)
	}
}

func TestFormat(t *testing.T) {
	t.Parallel()
	names := map[string]string{"fmt": "fmt", "example.com/go-x/v2": "x", "time": "time", "m/dot": "dot"}
	const src = `package p

import (
	"time"
	"fmt"
	"example.com/go-x/v2"
	y "example.com/go-y"
	_ "embed"
	. "m/dot"
	"m/unknown"
)

type T struct{ time int }

func f() { var time = T{time: 1}; _ = time; fmt.Println( ) }
`
	const want = `package p

import (
	_ "embed"
	"fmt"
	. "m/dot"
	"m/unknown"
)

type T struct{ time int }

func f() { var time = T{time: 1}; _ = time; fmt.Println() }
`
	got, err := format([]byte(src), names)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
