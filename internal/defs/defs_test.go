package defs_test

import (
	"fmt"
	"go/ast"
	"go/types"
	"os"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/locklint/locklint/internal/defs"
	"github.com/locklint/locklint/internal/typetest"
)

var universe *typetest.Universe

func TestMain(m *testing.M) {
	u, err := typetest.New(".", "strings")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	universe = u
	os.Exit(m.Run())
}

const preamble = `package p

type point struct{ x, y int }

type outer struct{ p point; q *point }

var global = 1

func two() (int, int)
func set(*int)
func use(...any) {}

`

// fixture is a function body with calls of use.
type fixture struct {
	p    *packages.Package
	ix   *defs.Index
	args []ast.Expr // of all calls of use
}

func load(t testing.TB, body string) *fixture {
	t.Helper()
	p := universe.MustPackage(t, "example.com/m/p", preamble+"func f(a, b int, s []int, m map[int]int, o *outer) {\n"+body+"\n}\n")
	f := &fixture{p: p, ix: defs.New(p.Syntax, p.TypesInfo)}
	ast.Inspect(p.Syntax[0], func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if id, ok := call.Fun.(*ast.Ident); ok && id.Name == "use" {
				f.args = append(f.args, call.Args...)
			}
		}
		return true
	})
	return f
}

func text(e ast.Expr) string {
	if e == nil {
		return "nil"
	}
	return types.ExprString(e)
}

func texts(es []ast.Expr) string {
	var out []string
	for _, e := range es {
		out = append(out, text(e))
	}
	return strings.Join(out, ", ")
}

func TestSingle(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		body string
		want string // the value of the variable that use names; "": not single
	}{
		{`x := 1; use(x)`, "1"},
		{`var x = 1; use(x)`, "1"},
		{`var x int; x = 1; use(x)`, "1"},
		{`var x int; use(x)`, ""},
		{`x := 1; x = 2; use(x)`, ""},
		{`x := 1; x++; use(x)`, ""},
		{`x := 1; x += 2; use(x)`, ""},
		{`x := 1; p := &x; use(x, p)`, ""},
		{`x := 1; set(&x); use(x)`, ""},
		{`x := 1; use(x); { x := 2; _ = x }`, "1"},
		{`x := 1; func() { x = 2 }(); use(x)`, ""},
		{`x, y := two(); use(x, y)`, "two()"},
		{`x, y := 1, 2; use(y, x)`, "2"},
		{`use(a)`, ""},
		{`a = 1; use(a)`, ""}, // Before knows
		{`if b > 0 { a = 1 }; use(a)`, ""},
		{`func(x int) { x = 2; use(x) }(a)`, ""},
		{`g := func(x int) { if x == 0 { x = 2 }; use(x) }; _ = g`, ""},
		{`g := func() (x int) { x = 2; use(x); return }; _ = g`, "2"},
		{`for _, x := range s { use(x) }`, "range"},
		{`for x := 0; x < 3; x++ { use(x) }`, ""},
		{`func(x int) { use(x) }(a)`, "a"},
		{`func(_, x int) { use(x) }(a, b)`, "b"},
		{`func(x ...int) { use(x) }(s...)`, ""},
		{`switch x := a; x { case 1: use(x) }`, "a"},
		{`if x := a; x > 0 { use(x) }`, "a"},
		{`x := o; x.p.x = 1; use(x)`, ""},
		{`x := o.q; *x = point{}; use(x)`, ""},
		{`use(global)`, "1"},
	} {
		f := load(t, c.body)
		d, ok := f.ix.Single(f.ix.Var(f.args[0]))
		got := ""
		switch {
		case ok && d.Range != nil:
			got = "range"
		case ok:
			got = text(d.Rhs)
		}
		if got != c.want {
			t.Errorf("%s: got %q, want %q", c.body, got, c.want)
		}
	}
	if _, ok := load(t, "use(1)").ix.Single(nil); ok {
		t.Error("no variable has a single definition")
	}
}

func TestFixed(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]bool{
		`use(a)`:                            true,
		`use(a); a = 1`:                     false,
		`use(a); a++`:                       false,
		`use(a); set(&a)`:                   false,
		`use(s); s[0] = 1`:                  true, // the slice is the same
		`use(s); s = append(s, 1)`:          false,
		`for _, a = range s { use(a) }`:     false,
		`x := 1; use(x)`:                    true,
		`x := 1; x = 2; use(x)`:             false,
		`var x int; use(x)`:                 true,
		`func(x int) { use(x) }(a)`:         true,
		`func(x int) { x = 1; use(x) }(a)`:  false,
		`use(o); o.p = point{}`:             true,
		`use(o); *o = outer{}`:              false,
		`use(a); { a := 2; _ = a }`:         true,
		`use(a); func() { a = 2 }()`:        false,
		`use(a); a, b = b, a`:               false,
		`use(b); switch { case a > 0: b++}`: false,
	} {
		f := load(t, body)
		if got := f.ix.Fixed(f.ix.Var(f.args[0])); got != want {
			t.Errorf("%s: Fixed = %v", body, got)
		}
	}
}

func TestBefore(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		body string
		want string // in force at the first use; "": none that is sure
		n    int
	}{
		{`x := 1; use(x); x = 2`, "1", 1},
		{`x := 1; x = 2; use(x)`, "2", 2},
		{`x := 1; if a > 0 { x = 2 }; use(x)`, "", 2},
		{`x := 1; if a > 0 { x = 2 }; x = 3; use(x)`, "3", 3},
		{`x := 1; for range s { x = 2 }; use(x)`, "", 2},
		{`x := 1; x++; use(x)`, "", 2},
		{`x := 1; x, b = two(); use(x)`, "", 2},
		{`x := 1; f := func() { x = 2 }; f(); use(x)`, "", 2},
		{`func() { x := 1; x = 2; use(x) }()`, "2", 2},
		{`use(a); a = 1`, "", 0},
		{`a = 1; use(a)`, "1", 1},
		{`x := 1; p := &x; x = 2; use(x, p)`, "", 0},
		{`x := 1; x = x + 1; use(x)`, "x + 1", 2},
	} {
		f := load(t, c.body)
		v := f.ix.Var(f.args[0])
		d, ok, n := f.ix.Before(v, f.args[0].Pos())
		got := ""
		if ok {
			got = text(d.Rhs)
		}
		if got != c.want || n != c.n {
			t.Errorf("%s: got %q after %d, want %q after %d", c.body, got, n, c.want, c.n)
		}
	}
	// The right side of an assignment still sees the old value.
	f := load(t, `x := 1; x = func() int { use(x); return 2 }(); _ = x`)
	if d, ok, _ := f.ix.Before(f.ix.Var(f.args[0]), f.args[0].Pos()); !ok || text(d.Rhs) != "1" {
		t.Errorf("in its own assignment: got %s, %v", text(d.Rhs), ok)
	}
}

func TestResolve(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`x := 1; y := x; use(y)`:                       "1",
		`x := (a + 1); use((x))`:                       "a + 1",
		`use(a)`:                                       "a",
		`x := a; use(x)`:                               "a",
		`x, _ := two(); use(x)`:                        "x",
		`x := global; use(x)`:                          "global",
		`x := 1; x = 2; use(x)`:                        "x",
		`f := func() int { return 1 }; g := f; use(g)`: "(func() int literal)",
	} {
		f := load(t, body)
		if got := text(f.ix.Resolve(f.args[0])); got != want {
			t.Errorf("%s: got %s, want %s", body, got, want)
		}
	}
}

func TestElems(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		body string
		want string
		ok   bool
	}{
		{`use([]int{1, a})`, "1, a", true},
		{`x := []int{1, a}; use(x)`, "1, a", true},
		{`var x []int; x = append(x, a); use(x)`, "a", true},
		{`x := []int{}; for _, y := range s { x = append(x, y) }; use(x)`, "y", true},
		{`x := make([]int, 0, 3); x = append(x, a, b); use(x)`, "a, b", true},
		{`x := append([]int{1}, a); use(x)`, "1, a", true},
		{`x := append([]int(nil), a); use(x)`, "", false},
		{`x := []int{1}; x = append(x, s...); use(x)`, "", false},
		{`x := []int{1}; x = s; use(x)`, "", false},
		{`x := []int{0: 1}; use(x)`, "", false},
		{`x := []int{1}; set(&x[0]); use(x)`, "", false},
		{`use(s)`, "", false},
		{`if a > 0 { s = []int{1} }; use(s)`, "", false},
		{`x := s[1:]; use(x)`, "", false},
		{`x := append(append([]int{1}, 2), 3); use(x)`, "1, 2, 3", true},
	} {
		f := load(t, c.body)
		es, ok := f.ix.Elems(f.args[0])
		if got := texts(es); ok != c.ok || ok && got != c.want {
			t.Errorf("%s: got %s, %v; want %s, %v", c.body, got, ok, c.want, c.ok)
		}
	}
}

func TestKeys(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		body string
		want string
		ok   bool
	}{
		{`x := map[int]int{}; x[a] = 1; use(x)`, "a", true},
		{`x := make(map[int]int); x[a], x[b] = 1, 2; use(x)`, "a, b", true},
		{`x := map[int]int{1: 2}; x[a] = 1; use(x)`, "1, a", true},
		{`x := m; x[a] = 1; use(x)`, "", false},
		{`use(m)`, "", false},
		{`if a > 0 { m = map[int]int{1: 2} }; use(m)`, "", false},
		{`x := map[int]int{}; y := &x; use(x, y)`, "", false},
		{`use(s)`, "", false},
	} {
		f := load(t, c.body)
		es, ok := f.ix.Keys(f.args[0])
		if got := texts(es); ok != c.ok || ok && got != c.want {
			t.Errorf("%s: got %s, %v; want %s, %v", c.body, got, ok, c.want, c.ok)
		}
	}
}

func TestFields(t *testing.T) {
	t.Parallel()
	f := load(t, `v := point{x: 1}; w := point{2, 3}; v.y = 4; u := &outer{p: point{x: 5}}; u.p.x = 6; z := &v.y; set(z); use(v.x, v.y); _, _ = w, u`)
	for i, want := range []string{"1, 2, 5, 6", "3, 4"} {
		sel := f.args[i].(*ast.SelectorExpr)
		v := f.p.TypesInfo.Selections[sel].Obj().(*types.Var)
		var vals []ast.Expr
		for _, d := range f.ix.Fields(v) {
			vals = append(vals, d.Rhs)
		}
		if got := texts(vals); got != want {
			t.Errorf("%s: got %s, want %s", text(sel), got, want)
		}
		if taken := f.ix.FieldTaken(v); taken != (i == 1) {
			t.Errorf("%s: address taken %v", text(sel), taken)
		}
	}
	v := f.ix.Var(f.args[0].(*ast.SelectorExpr).X)
	var set []ast.Expr
	for _, d := range f.ix.Set(v, "y") {
		set = append(set, d.Rhs)
	}
	if texts(set) != "4" || len(f.ix.Set(v, "x")) != 0 {
		t.Errorf("assignments to the fields of v: %s", texts(set))
	}
}

// The parameters of a literal that is handed to a literal are bound as well, in
// whatever order the maps of the index are walked.
func TestNestedFuncValues(t *testing.T) {
	t.Parallel()
	for range 20 {
		f := load(t, `
outer := func(k func(func(int))) { k(func(x int) { use(x) }) }
outer(func(k func(int)) { k(1) })`)
		if got := text(f.ix.Resolve(f.args[0])); got != "1" {
			t.Fatalf("got %s, want 1", got)
		}
	}
}

// Code with type errors is indexed without a panic, and NewDecl sees one function.
func TestBroken(t *testing.T) {
	t.Parallel()
	p, err := universe.Package("example.com/m/p", `package p
func f() { x := y; x.z = 1; undefined.a.b = 2; for i, _ = range x {}; a, b := f(); var c T = T{1, k: 2}; &c; func(q) {}(1, 2, 3); c[0] += x; *g() = 1 }
func g() { z := 1; _ = z }
`)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.TypeErrors) == 0 {
		t.Fatal("the source is meant to be broken")
	}
	defs.New(p.Syntax, p.TypesInfo)
	for _, d := range p.Syntax[0].Decls {
		ix := defs.NewDecl(d.(*ast.FuncDecl), p.TypesInfo)
		for id, o := range p.TypesInfo.Defs {
			v, ok := o.(*types.Var)
			if !ok {
				continue
			}
			in := d.Pos() <= id.Pos() && id.Pos() < d.End()
			if len(ix.All(v)) > 0 && !in {
				t.Errorf("%s is not of %s", v.Name(), d.(*ast.FuncDecl).Name.Name)
			}
		}
	}
}
