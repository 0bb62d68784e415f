package keyexpr_test

import (
	"go/ast"
	"testing"

	"github.com/locklint/locklint/internal/keyexpr"
)

// FuzzFold folds every expression of a function body, right or wrong: nothing
// panics, and folding an expression twice gives the same key.
func FuzzFold(f *testing.F) {
	for _, c := range inFunction {
		f.Add(c.body)
	}
	for _, body := range []string{
		`use(strings.Join(nil))`, `use(fmt.Sprintf())`, `use(fmt.Sprintf("%"))`, `use(fmt.Sprintf("%s"))`,
		`use(strconv.FormatInt(1))`, `use(func() string { return undefined }())`, `use(o.missing.name)`,
		`var key string; key, key = key, key; use(key)`, `x := x + x; use(x)`, `use(f)`, `use(Order.key, (*Order).key)`,
		`f := func() string { return f() }; use(f())`, `for range 3 { use(ids[n][0]) }`, `use(s.String, s.String())`,
		`goto a; a: use(<-chan int(nil))`, `use(m[id+other], *(&id), &o.name)`, `_ = ID; use(ID(n), string(), string(id, id))`,
	} {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body string) {
		p, err := universe.Package("example.com/m/p", preamble+helpers+
			"\nfunc f(id, other string, n int, o, q *Order, ids []string, m map[string]string, s State) {\n"+body+"\n}\n")
		if err != nil {
			t.Skipf("not a function body: %v", err)
		}
		folder, bodies := newFolder(p)
		for fn, d := range bodies {
			if d.Body == nil {
				continue
			}
			scope := keyexpr.ScopeOf(fn)
			folder.Result(d, scope)
			ast.Inspect(d.Body, func(n ast.Node) bool {
				if e, ok := n.(ast.Expr); ok {
					a, b := folder.Fold(e, scope), folder.Fold(e, scope)
					if a.Known() && !keyexpr.Same(a, b, nil) || a.String() != b.String() {
						t.Errorf("%s is not folded the same twice: %s", a, b)
					}
					keyexpr.Subst(a, b, func(int) keyexpr.Key { return b })
				}
				return true
			})
		}
	})
}
