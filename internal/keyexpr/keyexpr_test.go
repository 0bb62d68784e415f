package keyexpr_test

import (
	"fmt"
	"go/ast"
	"go/types"
	"os"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/locklint/locklint/internal/defs"
	"github.com/locklint/locklint/internal/keyexpr"
	"github.com/locklint/locklint/internal/typetest"
)

var universe *typetest.Universe

func TestMain(m *testing.M) {
	u, err := typetest.New(".", "fmt", "strings", "strconv", "time", "math/rand", "net")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	universe = u
	os.Exit(m.Run())
}

// preamble is what every source of a test begins with. use(a, b, …) marks the keys
// that a test folds.
const preamble = `package p

import (
	"fmt"
	"math/rand"
	"net"
	"strconv"
	"strings"
	"time"
)

var (
	_ = fmt.Sprint
	_ = rand.Int
	_ net.IP
	_ = strconv.Itoa
	_ = strings.Join
	_ time.Time
)

func use(keys ...any) {}

const prefix = "lock:"

var (
	fixed   = "lock:" + "job"
	changed = "lock:"
)

func change() { changed = "other:" }

type ID string

type State int

func (s State) String() string { return "state" }

type Name string

func (n Name) String() string { return string(n) }

type Base struct{ id string }

type Order struct {
	Base
	name  string
	owner *Order
	tags  []string
	keyFn func(string) string
	next  func() string
}

func (b *Base) base() string   { return "lock:" + b.id }
func (o Order) with(x string) string { return "lock:" + o.name + x }
func (o *Order) key() string   { return "lock:" + o.name }
func (o Order) byID() string   { return fmt.Sprintf("lock:%s", o.id) }
func keyOf(id string) string   { return "lock:" + id }
func far(id string) string     { return far2(id, "x") }
func far2(a, b string) string  { return keyOf(a + ":" + b) }
func generic[T any](x T) string { return fmt.Sprintf("lock:%v", x) }
func external(string) string
func pair() (string, string)
`

// folded is one function of a source, with what it passes to use.
type folded struct {
	fn   string
	keys []keyexpr.Key
}

func newFolder(p *packages.Package) (*keyexpr.Folder, map[*types.Func]*ast.FuncDecl) {
	bodies := map[*types.Func]*ast.FuncDecl{}
	for _, f := range p.Syntax {
		for _, d := range f.Decls {
			if fd, ok := d.(*ast.FuncDecl); ok {
				if fn, ok := p.TypesInfo.Defs[fd.Name].(*types.Func); ok {
					bodies[fn] = fd
				}
			}
		}
	}
	return &keyexpr.Folder{
		Info: p.TypesInfo, Defs: defs.New(p.Syntax, p.TypesInfo),
		Body: func(fn *types.Func) *ast.FuncDecl { return bodies[fn] },
	}, bodies
}

// fold folds the arguments of every call of use, function by function.
func fold(t testing.TB, src string) []folded {
	t.Helper()
	p := universe.MustPackage(t, "example.com/m/p", preamble+src)
	folder, _ := newFolder(p)
	var out []folded
	for _, d := range p.Syntax[0].Decls {
		fd, ok := d.(*ast.FuncDecl)
		if !ok || fd.Body == nil {
			continue
		}
		fn := p.TypesInfo.Defs[fd.Name].(*types.Func)
		f := folded{fn: fn.Name()}
		ast.Inspect(fd.Body, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				if id, ok := call.Fun.(*ast.Ident); ok && id.Name == "use" {
					for _, a := range call.Args {
						f.keys = append(f.keys, folder.Fold(a, keyexpr.ScopeOf(fn)))
					}
				}
			}
			return true
		})
		if len(f.keys) > 0 {
			out = append(out, f)
		}
	}
	return out
}

// In one function: each case has two keys.
var inFunction = []struct {
	name string
	same bool
	body string // statements of func f(id, other string, n int, o, q *Order, ids []string, m map[string]string, s State)
}{
	{"literals", true, `use("lock:a", "lock:a")`},
	{"other literal", false, `use("lock:a", "lock:b")`},
	{"constant and literal", true, `use(prefix+"a", "lock:a")`},
	{"variable", true, `use(id, id)`},
	{"other variable", false, `use(id, other)`},
	{"plus", true, `use("lock:"+id, prefix+id)`},
	{"plus, other prefix", false, `use("lock:"+id, "done:"+id)`},
	{"plus, other order", false, `use(id+other, other+id)`},
	{"parentheses", true, `use(("lock:")+(id), "lock:"+id)`},
	{"sprintf and plus", true, `use(fmt.Sprintf("lock:%s", id), "lock:"+id)`},
	{"sprintf verbs", true, `use(fmt.Sprintf("lock:%s", id), fmt.Sprintf("lock:%v", id))`},
	{"sprintf number and itoa", true, `use(fmt.Sprintf("lock:%d", n), "lock:"+strconv.Itoa(n))`},
	{"sprintf and formatint", true, `use(fmt.Sprintf("lock:%d", n), "lock:"+strconv.FormatInt(int64(n), 10))`},
	{"formatint in base 16", false, `use(fmt.Sprintf("lock:%d", n), "lock:"+strconv.FormatInt(int64(n), 16))`},
	{"sprintf of hex", false, `use(fmt.Sprintf("lock:%x", n), fmt.Sprintf("lock:%d", n))`},
	{"sprintf with a width", false, `use(fmt.Sprintf("lock:%03d", n), fmt.Sprintf("lock:%d", n))`},
	{"sprintf quoted", false, `use(fmt.Sprintf("lock:%q", id), fmt.Sprintf("lock:%s", id))`},
	{"sprintf with the same width", true, `use(fmt.Sprintf("lock:%03d", n), fmt.Sprintf("lock:%03d", n))`},
	{"sprintf with the same width of another", false, `use(fmt.Sprintf("lock:%03d", n), fmt.Sprintf("lock:%03d", n+1))`},
	{"sprintf percent", true, `use(fmt.Sprintf("lock:%%%s", id), "lock:%"+id)`},
	{"sprintf with a constant format", true, `const f = "lock:%s"; use(fmt.Sprintf(f, id), "lock:"+id)`},
	{"sprintf with two holes", true, `use(fmt.Sprintf("lock:%s:%d", id, n), "lock:"+id+":"+strconv.Itoa(n))`},
	{"sprintf with holes swapped", false, `use(fmt.Sprintf("lock:%s:%s", id, other), fmt.Sprintf("lock:%s:%s", other, id))`},
	{"sprintf by index", false, `use(fmt.Sprintf("lock:%[2]s%[1]s", id, other), "lock:"+id+other)`},
	{"sprintf of a spread", false, `args := []any{id}; use(fmt.Sprintf("lock:%s", args...), "lock:"+id)`},
	{"sprint", true, `use(fmt.Sprint(id), id)`},
	{"sprint of two", false, `use(fmt.Sprint(n, n), strconv.Itoa(n)+strconv.Itoa(n))`},
	{"join", true, `use(strings.Join([]string{"lock", id}, ":"), "lock:"+id)`},
	{"join, other separator", false, `use(strings.Join([]string{"lock", id}, "-"), "lock:"+id)`},
	{"join of a local slice", true, `parts := []string{"lock", id}; use(strings.Join(parts, ":"), "lock:"+id)`},
	{"join of a slice that grows", false, `parts := []string{"lock", id}; parts = append(parts, other); use(strings.Join(parts, ":"), "lock:"+id)`},
	{"join of a parameter", true, `use(strings.Join(ids, ":"), strings.Join(ids, ":"))`},
	{"join of two results", true, `use(strings.Join(split()), strings.Join(split()))`},
	{"formatint of two results", true, `use(strconv.FormatInt(number()), strconv.FormatInt(number()))`},
	{"helper", true, `use(keyOf(id), "lock:"+id)`},
	{"helper, other argument", false, `use(keyOf(id), keyOf(other))`},
	{"helpers in a row", true, `use(far(id), "lock:"+id+":x")`},
	{"method helper", true, `use(o.key(), "lock:"+o.name)`},
	{"method helper of another", false, `use(o.key(), q.key())`},
	{"value method helper", true, `use(o.byID(), "lock:"+o.id)`},
	{"generic helper", true, `use(generic(id), "lock:"+id)`},
	{"generic helper, instantiated", true, `use(generic[string](id), generic(id))`},
	{"func literal", true, `key := func(x string) string { return "lock:" + x }; use(key(id), "lock:"+id)`},
	{"func literal, other argument", false, `key := func(x string) string { return "lock:" + x }; use(key(id), key(other))`},
	{"func literal that captures", true, `key := func() string { return "lock:" + id }; use(key(), "lock:"+id)`},
	{"func literal in place", true, `use(func(x string) string { return "lock:" + x }(id), "lock:"+id)`},
	{"func literal assigned twice", false, `key := func(x string) string { return "lock:" + x }; key = external; use(key(id), "lock:"+id)`},
	{"external call", true, `use(external(id), external(id))`},
	{"external call, other argument", false, `use(external(id), external(other))`},
	{"helper with two returns", true, `use(branches(id), branches(id))`},
	{"helper with two returns, other argument", false, `use(branches(id), branches(other))`},
	{"helper with an unknown part", true, `use(sharded(n), sharded(n))`},
	{"helper with an unknown part, other argument", false, `use(sharded(n), sharded(n+1))`},
	{"helper with a local, other argument", false, `use(named(n), named(n+1))`},
	{"helper with a local", true, `use(named(n), named(n))`},
	{"helper with a loop, other argument", false, `use(spelled(ids), spelled([]string{id}))`},
	{"helper that makes a fresh part", false, `a, b := fresh(), fresh(); use(a, b)`},
	{"helper that makes a fresh part, kept", true, `a := fresh(); b := a; use(a, b)`},
	{"random", false, `use(rand.Int(), rand.Int())`},
	{"random kept", true, `r := rand.Int(); use(fmt.Sprintf("lock:%d", r), "lock:"+strconv.Itoa(r))`},
	{"clock", false, `use("lock:"+time.Now().String(), "lock:"+time.Now().String())`},
	{"local", true, `key := "lock:" + id; use(key, "lock:"+id)`},
	{"local, declared first", true, `var key string; key = "lock:" + id; use(key, "lock:"+id)`},
	{"locals in a row", true, `a := "lock:"; b := a + id; use(b, "lock:"+id)`},
	{"local, reassigned in between", false, `key := "lock:" + id; use(key); key = "lock:" + other; use(key)`},
	{"local, reassigned before both", true, `key := "lock:" + id; key = "lock:" + other; use(key, key)`},
	{"local, what the last assignment gave", true, `key := "lock:" + id; key = key + ":x"; use(key, "lock:"+id+":x")`},
	{"local, assigned in a branch", true, `key := "lock:" + id; if n > 0 { key = id }; use(key, key)`},
	{"local, assigned in a branch, is neither", false, `key := "lock:" + id; if n > 0 { key = id }; use(key, "lock:"+id)`},
	{"local, assigned in a branch, nor the other", false, `key := "lock:" + id; if n > 0 { key = id }; use(key, id)`},
	{"local, assigned in a literal", false, `key := "lock:" + id; f := func() { key = "lock:" + other }; _ = f; use(key, "lock:"+other)`},
	{"parameter, reassigned in between", false, `use(id); id = "x" + id; use(id)`},
	{"address taken", false, `key := "lock:" + id; p := &key; *p = "x"; use(key, "lock:"+id)`},
	{"parameter of a literal", true, `func(x string) { use("lock:"+x, "lock:"+id) }(id)`},
	{"parameter of a literal, defaulted", false, `f := func(x string) { if x == "" { x = "lock:a" }; use(x, "lock:a") }; _ = f`},
	{"shadowed", false, `key := "lock:" + id; use(key); { key := "lock:" + other; use(key) }`},
	{"a range element", true, `for _, x := range ids { use("lock:"+x, "lock:"+x) }`},
	{"a range element and its index", false, `for i, x := range ids { use("lock:"+x, "lock:"+strconv.Itoa(i)) }`},
	{"elements of two ranges", false, `for _, x := range ids { use(x) }; for _, x := range strings.Fields(id) { use(x) }`},
	{"collected", true, `var keys []string; for _, x := range ids { keys = append(keys, "lock:"+x); use("lock:" + x) }; for _, k := range keys { use(k) }`},
	{"collected from two", false, `var keys []string; for _, x := range ids { keys = append(keys, "lock:"+x); use("lock:" + x) }; keys = append(keys, other); for _, k := range keys { use(k) }`},
	{"keys of a map", true, `held := map[string]bool{}; for _, x := range ids { held["lock:"+x] = true; use("lock:" + x) }; for k := range held { use(k) }`},
	{"values of a map", false, `held := map[string]string{}; for _, x := range ids { held["lock:"+x] = x; use("lock:" + x) }; for _, k := range held { use(k) }`},
	{"keys of a map from elsewhere", false, `for k := range m { use(k) }; use(id)`},
	{"slice index", true, `use(ids[0], ids[0])`},
	{"slice index, another", false, `use(ids[0], ids[1])`},
	{"slice index by variable", true, `use(ids[n], ids[n])`},
	{"map index", true, `use(m["a"], m["a"])`},
	{"map index, another", false, `use(m["a"], m["b"])`},
	{"field", true, `use("lock:"+o.name, "lock:"+o.name)`},
	{"field of another", false, `use("lock:"+o.name, "lock:"+q.name)`},
	{"other field", false, `use("lock:"+o.name, "lock:"+o.id)`},
	{"embedded field, both ways", true, `use(o.id, o.Base.id)`},
	{"field path", true, `use(o.owner.name, o.owner.name)`},
	{"field path, other", false, `use(o.owner.name, o.name)`},
	{"field, reassigned in between", false, `use(o.name); o.name = id; use(o.name)`},
	{"field, reassigned before both", true, `o.name = id; use(o.name, o.name)`},
	{"field, another reassigned in between", true, `use(o.name); o.id = id; use(o.name)`},
	{"field, reassigned in another variable", true, `use(o.name); q.name = id; use(o.name)`},
	{"field through a pointer", true, `use((*o).name, o.name)`},
	{"promoted method helper", true, `use(o.base(), "lock:"+o.Base.id)`},
	{"promoted method helper, both ways", true, `use(o.base(), o.Base.base())`},
	{"promoted method helper and a field that hides it", false, `type hides struct{ Base; id string }; var h hides; use(h.base(), "lock:"+h.id)`},
	{"method expression", true, `use((*Order).key(o), (*Order).key(o))`},
	{"method expression, other receiver", false, `use((*Order).key(o), (*Order).key(q))`},
	{"method expression, other argument", false, `use(Order.with(*o, id), Order.with(*o, other))`},
	{"func field", true, `use(o.keyFn(id), o.keyFn(id))`},
	{"func field, other argument", false, `use(o.keyFn(id), o.keyFn(other))`},
	{"func field without arguments", false, `use(o.next(), o.next())`},
	{"field of a local struct", true, `p := o; use(p.name, o.name)`},
	{"conversion", true, `use(string(ID(id)), id)`},
	{"conversion to bytes", true, `use(string([]byte(id)), id)`},
	{"conversion of a number to a wider one", true, `use(fmt.Sprintf("%d", int64(n)), strconv.Itoa(n))`},
	{"conversion of a number to a narrower one", false, `use(fmt.Sprintf("%d", uint8(n)), strconv.Itoa(n))`},
	{"conversion of a number to a rune", false, `use(string(rune(n)), strconv.Itoa(n))`},
	{"stringer", true, `use(fmt.Sprintf("lock:%s", s), "lock:"+s.String())`},
	{"stringer, two verbs", true, `use(fmt.Sprintf("lock:%s", s), fmt.Sprintf("lock:%v", s))`},
	{"stringer printed as a number", false, `use(fmt.Sprintf("lock:%d", s), fmt.Sprintf("lock:%s", s))`},
	{"stringer by itoa", false, `use("lock:"+strconv.Itoa(int(s)), "lock:"+s.String())`},
	{"stringer by itoa and as a number", true, `use("lock:"+strconv.Itoa(int(s)), fmt.Sprintf("lock:%d", s))`},
	{"sprintf of nothing", true, `use(fmt.Sprintf("lock:a"), "lock:a")`},
	{"stringer of a string", true, `const k Name = "lock:a"; use(k.String(), fmt.Sprintf("%s", k))`},
	{"stringer of a string is its text", true, `const k Name = "lock:a"; use(k.String(), "lock:a")`},
	{"stringer of a constant", false, `const k State = 1; use("lock:"+k.String(), "lock:1")`},
	{"package constant", true, `use(fixed, "lock:job")`},
	{"package variable", true, `use(changed+id, changed+id)`},
	{"package variable that changes", false, `use(changed+id, "lock:"+id)`},
	{"numbers", true, `use(fmt.Sprintf("lock:%d", 7), "lock:7")`},
	{"numbers, other", false, `use(fmt.Sprintf("lock:%d", 7), "lock:8")`},
	{"floats", true, `use(fmt.Sprintf("lock:%v", 0.5), "lock:0.5")`},
	{"booleans", true, `use(fmt.Sprintf("lock:%v", true), "lock:true")`},
	{"many operands", true, `use(id+":"+other+":"+id+":"+other+":"+id+":"+other+":"+id+":"+other+":a", id+":"+other+":"+id+":"+other+":"+id+":"+other+":"+id+":"+other+":a")`},
	{"many operands, the first is another", false, `use(id+":"+other+":"+id+":"+other+":"+id+":"+other+":"+id+":"+other+":a", other+":"+other+":"+id+":"+other+":"+id+":"+other+":"+id+":"+other+":a")`},
	{"helper that changes its parameter", true, `use(lower(id), lower(id))`},
	{"helper that changes its parameter, not the text", false, `use(lower(id), "lock:"+id)`},
	{"recursion", true, `use(recursive(n), recursive(n))`},
	{"recursion, other argument", false, `use(recursive(n), recursive(n+1))`},
	{"mutual recursion, other argument", false, `use(ping(id), ping(other))`},
	{"variadic helper", true, `use(joined("lock", id), joined("lock", id))`},
	{"variadic helper, other", false, `use(joined("lock", id), joined("lock", other))`},
	{"variadic helper, fewer", false, `use(joined("lock", id), joined("lock"))`},
	{"one of two results", false, `a, b := pair(); use(a, b)`},
	{"the same of two results", true, `a, _ := pair(); use(a, a)`},
	{"time formatted", true, `day := time.Now().Format("2006"); use("lock:"+day, "lock:"+day)`},
	{"time formatted twice", false, `use("lock:"+time.Now().Format("2006"), "lock:"+time.Now().Format("2006"))`},
	{"received twice", false, `c := make(chan string); use(<-c, <-c)`},
	{"dereferenced", true, `p := new(string); use("lock:"+*p, "lock:"+*p)`},
	{"type assertion kept", true, `var x any = id; k := x.(string); use(k, k)`},
	{"slice of a string", false, `use(id[1:], id)`},
	{"empty strings", true, `use(""+id, id)`},
}

const helpers = `
func split() ([]string, string)
func number() (int64, int)
func branches(id string) string { if id == "" { return "lock:none" }; return "lock:" + id }
func sharded(n int) string { return "lock:" + strconv.Itoa(n%16) }
func named(n int) string { var s string; if n > 0 { s = "a" } else { s = "b" }; return "lock:" + s }
func spelled(ids []string) string { s := ""; for _, x := range ids { s += x }; return "lock:" + s }
func lower(id string) string { id = strings.ToLower(id); return "lock:" + id }
func fresh() string { return "lock:" + strconv.Itoa(rand.Int()) }
func recursive(n int) string { return "lock:" + recursive(n-1) }
func ping(s string) string { return "lock:" + pong(s) }
func pong(s string) string { return ping(s) + "x" }
func joined(parts ...string) string { return strings.Join(parts, ":") }
`

func TestSameInFunction(t *testing.T) {
	t.Parallel()
	for _, c := range inFunction {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			src := helpers + "\nfunc f(id, other string, n int, o, q *Order, ids []string, m map[string]string, s State) {\n" + c.body + "\n}\n"
			var keys []keyexpr.Key
			for _, f := range fold(t, src) {
				keys = append(keys, f.keys...)
			}
			if len(keys) != 2 {
				t.Fatalf("%d keys", len(keys))
			}
			if got := keyexpr.Same(keys[0], keys[1], nil); got != c.same {
				t.Errorf("Same(%s, %s) = %v, want %v\n%s", keys[0], keys[1], got, c.same, c.body)
			}
			if keyexpr.Same(keys[0], keys[1], nil) != keyexpr.Same(keys[1], keys[0], nil) {
				t.Error("Same is not symmetric")
			}
			for _, k := range keys {
				if k.Known() && !keyexpr.Same(k, k, nil) {
					t.Errorf("%s is not the same as itself", k)
				}
			}
		})
	}
}

// Across functions: each case has two functions with one key each.
var acrossFunctions = []struct {
	name string
	same bool
	src  string
}{
	{"constants", true, `func a() { use("lock:a") }; func b() { use("lock:a") }`},
	{"other constant", false, `func a() { use("lock:a") }; func b() { use("lock:b") }`},
	{"template with a parameter", true, `func a(id string) { use("lock:" + id) }; func b(job string) { use(fmt.Sprintf("lock:%s", job)) }`},
	{"other template", false, `func a(id string) { use("lock:" + id) }; func b(id string) { use("done:" + id) }`},
	{"longer template", false, `func a(id string) { use("lock:" + id) }; func b(id string) { use("lock:" + id + ":x") }`},
	{"nothing but holes", false, `func a(id string) { use(id) }; func b(id string) { use(id) }`},
	{"two holes and a colon", false, `func a(x, y string) { use(x + ":" + y) }; func b(x, y string) { use(x + ":" + y) }`},
	{"helper", true, `func a(id string) { use(keyOf(id)) }; func b(job string) { use(keyOf(job)) }`},
	{"helper and its text", true, `func a(id string) { use(keyOf(id)) }; func b(job string) { use("lock:" + job) }`},
	{"external helper", true, `func a(id string) { use(external(id)) }; func b(job string) { use(external(job)) }`},
	{"external helper and another", false, `func external2(string) string; func a(id string) { use(external(id)) }; func b(job string) { use(external2(job)) }`},
	{"fields of the receiver", true, `func (o *Order) a() { use(o.name) }; func (o *Order) b() { use(o.name) }`},
	{"fields of a value and a pointer receiver", true, `func (o *Order) a() { use(o.name) }; func (o Order) b() { use(o.name) }`},
	{"other fields of the receiver", false, `func (o *Order) a() { use(o.name) }; func (o *Order) b() { use(o.id) }`},
	{"fields of other types", false, `type T struct{ name string }; func (o *Order) a() { use(o.name) }; func (o *T) b() { use(o.name) }`},
	{"field of the receiver and of a parameter", true, `func (o *Order) a() { use(o.name) }; func b(o *Order) { use(o.name) }`},
	{"generic receiver", true, `type G[T any] struct{ name string }; func (g *G[T]) a() { use(g.name) }; func (g *G[U]) b() { use(g.name) }`},
	{"embedded field", true, `func (o *Order) a() { use("lock:" + o.id) }; func (o *Order) b() { use("lock:" + o.Base.id) }`},
	{"method helper", true, `func (o *Order) a() { use(o.key()) }; func (o *Order) b() { use("lock:" + o.name) }`},
	{"package variable", true, `func a(id string) { use(changed + id) }; func b(id string) { use(changed + id) }`},
	{"package variable and a parameter", false, `func a(id string) { use(changed + "lock:" + id) }; func b(p, id string) { use(p + "lock:" + id) }`},
	{"two package variables", false, `var x, y = external("x"), external("y"); func a(id string) { use(x + "lock:" + id) }; func b(id string) { use(y + "lock:" + id) }`},
	{"initialised package variable", true, `func a() { use(fixed) }; func b() { use("lock:job") }`},
	{"join", true, `func a(id string) { use(strings.Join([]string{"lock", id}, ":")) }; func b(id string) { use("lock:" + id) }`},
	{"in a script of another alphabet", true, `func a(id string) { use("锁" + id) }; func b(id string) { use("锁" + id) }`},
	{"stringer parameters", true, `func a(s State) { use("lock:" + s.String()) }; func b(s State) { use(fmt.Sprintf("lock:%v", s)) }`},
	{"stringer constants", false, `func a() { use("lock:" + State(1).String()) }; func b() { use("lock:" + State(2).String()) }`},
	{"one letter", false, `func a(id string) { use("l:" + id) }; func b(id string) { use("l:" + id) }`},
}

func TestSameTemplate(t *testing.T) {
	t.Parallel()
	for _, c := range acrossFunctions {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			fs := fold(t, c.src)
			if len(fs) != 2 || len(fs[0].keys) != 1 || len(fs[1].keys) != 1 {
				t.Fatalf("want two functions with one key each, got %v", fs)
			}
			a, b := fs[0].keys[0], fs[1].keys[0]
			if got := keyexpr.SameTemplate(a, b); got != c.same {
				t.Errorf("SameTemplate(%s, %s) = %v, want %v", a, b, got, c.same)
			}
			if keyexpr.SameTemplate(a, b) != keyexpr.SameTemplate(b, a) {
				t.Error("SameTemplate is not symmetric")
			}
		})
	}
}

func TestString(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ expr, want, lit string }{
		{`"lock:a"`, "lock:a", "lock:a"},
		{`"lock:" + id`, "lock:{id}", "lock:\x00"},
		{`fmt.Sprintf("lock:%s:%d", id, n)`, "lock:{id}:{n}", "lock:\x00:\x00"},
		{`o.name + ":lock"`, "{o.name}:lock", "\x00:lock"},
		{`o.id`, "{o.Base.id}", "\x00"},
		{`keyOf(id)`, "lock:{id}", "lock:\x00"},
		{`external(id) + ":lock"`, "{external(id)}:lock", "\x00:lock"},
		{`external("x")`, `{external("x")}`, "\x00"},
		{`changed + id`, "{changed}{id}", "\x00\x00"},
		{`ids[0]`, "{ids[0]}", "\x00"},
		{`""`, "", ""},
	} {
		fs := fold(t, "func f(id string, n int, o *Order, ids []string) { use("+c.expr+") }")
		k := fs[0].keys[0]
		if k.String() != c.want || k.Literals() != c.lit {
			t.Errorf("%s: got %q, %q; want %q, %q", c.expr, k.String(), k.Literals(), c.want, c.lit)
		}
	}
}

// What of a key is known outside its function.
func TestPortable(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		expr     string
		portable bool
		uses     bool // a parameter
		param    int
	}{
		{`"lock:a"`, true, false, keyexpr.NoParam},
		{`id`, true, true, 0},
		{`"lock:" + id`, true, true, keyexpr.NoParam},
		{`o.name`, true, true, keyexpr.NoParam},
		{`r.name`, true, false, keyexpr.NoParam},
		{`r.key()`, true, false, keyexpr.NoParam},
		{`changed + id`, true, true, keyexpr.NoParam},
		{`external(id)`, true, true, keyexpr.NoParam},
		{`external("a")`, true, false, keyexpr.NoParam},
		{`external(local())`, true, false, keyexpr.NoParam},
		{`rand.Int()`, false, false, keyexpr.NoParam},
		{`"lock:" + strconv.Itoa(n%2)`, false, false, keyexpr.NoParam},
		{`twice`, false, false, keyexpr.NoParam},
		{`written`, false, false, keyexpr.NoParam},
	} {
		fs := fold(t, `func local() string
func (r *Order) f(id string, n int, o *Order, written string) {
	twice := "a"
	if n > 0 { twice = "b" }
	written += "x"
	_, _ = twice, written
	use(`+c.expr+`)
}`)
		k := fs[0].keys[0]
		if k.Portable() != c.portable || k.UsesParam() != c.uses || k.Param() != c.param {
			t.Errorf("%s: portable %v, uses a parameter %v, is parameter %d; want %v, %v, %d",
				c.expr, k.Portable(), k.UsesParam(), k.Param(), c.portable, c.uses, c.param)
		}
	}
}

// The key of a helper with the arguments of a call put in.
func TestSubst(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name         string
		callee, call string
		want         string // "": the key cannot be expressed
	}{
		{"parameter", `p0`, `"lock:"+id`, "lock:{id}"},
		{"prefixed", `"lock:" + p0`, `id`, "lock:{id}"},
		{"prefixed constant", `"lock:" + p0`, `"a"`, "lock:a"},
		{"field of a parameter", `"lock:" + p0.name`, `o`, "lock:{o.name}"},
		{"field of a field", `"lock:" + p0.name`, `o.owner`, "lock:{o.owner.name}"},
		{"field of a literal", `"lock:" + p0.name`, `&Order{}`, "lock:{Order{}.name}"},
		{"argument of a call", `external("lock:" + p0)`, `id`, `{external(lock:{id})}`},
		{"a stringer", `"lock:" + p0.String()`, `s`, "lock:{s}"},
		{"a stringer's constant", `"lock:" + p0.String()`, `State(1)`, `lock:{"1"}`},
		{"no argument", `p1`, `id`, ""},
	} {
		typ := "string"
		if strings.Contains(c.callee, "p0.") {
			typ = "*Order"
		}
		if strings.Contains(c.callee, ".String()") {
			typ = "State"
		}
		fs := fold(t, fmt.Sprintf(`func callee(p0 %s, p1 string) { use(%s) }
func caller(id string, o *Order, s State) { use(%s) }`, typ, c.callee, c.call))
		k, ok := keyexpr.Subst(fs[0].keys[0], keyexpr.Key{}, func(i int) keyexpr.Key {
			if i == 0 {
				return fs[1].keys[0]
			}
			return keyexpr.Key{}
		})
		if got := k.String(); ok != (c.want != "") || got != c.want {
			t.Errorf("%s: got %q, %v; want %q", c.name, got, ok, c.want)
		}
	}
}

// A receiver's field with the receiver of a call put in.
func TestSubstReceiver(t *testing.T) {
	t.Parallel()
	fs := fold(t, `func (o *Order) callee() { use("lock:" + o.name) }
func (o *Order) caller() { use(o.owner) }`)
	k, ok := keyexpr.Subst(fs[0].keys[0], fs[1].keys[0], nil)
	if want := "lock:{o.owner.name}"; !ok || k.String() != want {
		t.Errorf("got %s, %v; want %s", k, ok, want)
	}
	if !keyexpr.SameTemplate(k, k) {
		t.Error("the key is not the same as itself")
	}
}

func TestTelling(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]bool{"": false, ":": false, "a": false, "1:2": false, "ab": true, "a:b": true, "锁": true, "é": false} {
		if got := keyexpr.Telling(s); got != want {
			t.Errorf("Telling(%q) = %v", s, got)
		}
	}
}

// The names a key is built from.
func TestNames(t *testing.T) {
	t.Parallel()
	for expr, want := range map[string]string{
		`prefix + id`:          "prefix",
		`keyOf(id)`:            "keyOf",
		`o.name`:               "name",
		`changed + id`:         "changed",
		`external(id)`:         "external",
		`id`:                   "",
		`"lock:" + o.tags[0]`:  "",
		`prefix + o.name + id`: "prefix name",
		// Each name once, whatever else is built of the same argument.
		`both(prefix + o.name + prefix)`: "prefix name prefix outer prefix name prefix inner both",
	} {
		k := fold(t, `func outer(s string) string { return s }
func inner(s string) string { return s }
func both(s string) string { return outer(s) + inner(s) }
func f(id string, o *Order) { use(`+expr+`) }`)[0].keys[0]
		if got := strings.Join(k.Names, " "); got != want {
			t.Errorf("%s: names %q, want %q", expr, got, want)
		}
	}
}
