package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/types/typeutil"
)

// effects looks at what evaluating an expression does besides giving a value.
type effects struct {
	*planner
	// again: it is evaluated twice, and has to give the same.
	again bool
	seen  []*types.Func
}

// idle reports whether an expression may go where its value is not used any more:
// evaluating it does nothing else that the program could miss.
func (p *planner) idle(e ast.Node) bool { return (&effects{planner: p}).none(e) }

// twice reports whether an expression may be evaluated once more in the same place: it
// does nothing, and gives the same.
func (p *planner) twice(e ast.Node) bool { return (&effects{planner: p, again: true}).none(e) }

func (x *effects) none(e ast.Node) bool {
	ok := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false // it is called elsewhere
		case *ast.UnaryExpr:
			ok = ok && n.Op != token.ARROW
		case *ast.CallExpr:
			ok = ok && x.silent(n)
		}
		return ok
	})
	return ok
}

func (x *effects) silent(call *ast.CallExpr) bool {
	tv := x.info.Types[call.Fun]
	if tv.IsType() {
		return true
	}
	if tv.IsBuiltin() {
		id, _ := ast.Unparen(call.Fun).(*ast.Ident)
		return id != nil && slices.Contains([]string{"cap", "len", "make", "max", "min", "new"}, id.Name)
	}
	fn, _ := typeutil.Callee(x.info, call).(*types.Func)
	if fn == nil || fn.Pkg() == nil {
		return false
	}
	if fn.Name() == "Context" && fn.Pkg() != x.pass.Pkg && len(call.Args) == 0 && isContext(x.info.TypeOf(call)) {
		return true // of a request
	}
	recv := fn.Signature().Recv()
	if recv != nil && types.IsInterface(recv.Type()) {
		return false
	}
	path := fn.Pkg().Path()
	switch {
	case fn.Pkg() == x.pass.Pkg:
		return x.own(fn.Origin())
	case slices.Contains(pure, path):
		return recv == nil || fn.Name() == "String" // the others of a Builder write
	case formats(fn) || slices.Contains(steadyFuncs, fn.FullName()):
		return true
	case x.again:
		return false
	case isLibrary(path):
		return fn.Name() == "NewScript"
	case makesIDs(path):
		return recv != nil || hasPrefix(fn.Name(), "New", "Must", "Make", "Generate")
	case path == "time":
		return recv != nil && named(recv.Type()) != nil && slices.Contains([]string{"Time", "Duration", "Month", "Weekday"}, named(recv.Type()).Name()) ||
			slices.Contains([]string{"Now", "Since", "Until", "Unix", "UnixMilli"}, fn.Name())
	}
	return slices.Contains(onceFuncs, fn.FullName())
}

func isContext(t types.Type) bool {
	obj := named(t)
	return obj != nil && obj.Pkg() != nil && obj.Pkg().Path() == "context" && obj.Name() == "Context"
}

// Functions that do nothing and give the same when they are called again.
var steadyFuncs = []string{
	"context.Background", "context.TODO", "context.WithoutCancel",
	"crypto/md5.Sum", "crypto/sha1.Sum", "crypto/sha256.Sum256",
	"encoding/hex.EncodeToString", "(*encoding/base64.Encoding).EncodeToString",
	"fmt.Sprintln", "os.Getenv", "os.Getpid", "os.Getppid",
}

// Functions that do nothing, though they give another value each time, or fail.
var onceFuncs = []string{
	"crypto/rand.Int", "crypto/rand.Text", "errors.New", "fmt.Errorf", "os.Executable", "os.Hostname", "os.LookupEnv",
	"math/rand.Int", "math/rand.Int31", "math/rand.Int63", "math/rand.Intn", "math/rand.Int63n", "math/rand.Uint32", "math/rand.Uint64",
	"math/rand/v2.Int", "math/rand/v2.Int64", "math/rand/v2.IntN", "math/rand/v2.Int64N", "math/rand/v2.Uint32", "math/rand/v2.Uint64",
}

// makesIDs reports whether a package is one of those that make unique values.
func makesIDs(path string) bool {
	return slices.ContainsFunc([]string{"uuid", "xid", "ulid", "ksuid", "nanoid"}, func(p string) bool { return strings.Contains(path, p) })
}

func hasPrefix(name string, prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(name, p) })
}

// own reports whether a function of the package does nothing but work out its results:
// it assigns its own variables alone, and ends.
func (x *effects) own(fn *types.Func) bool {
	decl := x.declared(fn.Pos())
	if decl == nil || decl.Body == nil || slices.Contains(x.seen, fn) {
		return false
	}
	x.seen = append(x.seen, fn)
	defer func() { x.seen = x.seen[:len(x.seen)-1] }()
	inner := func(e ast.Expr) bool {
		v := x.variable(e)
		return blank(e) || v != nil && decl.Pos() <= v.Pos() && v.Pos() < decl.End()
	}
	ok := true
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			ok = ok && !slices.ContainsFunc(n.Lhs, func(l ast.Expr) bool { return !inner(l) })
		case *ast.IncDecStmt:
			ok = ok && inner(n.X)
		case *ast.SendStmt, *ast.GoStmt, *ast.DeferStmt, *ast.SelectStmt, *ast.ForStmt, *ast.RangeStmt, *ast.LabeledStmt:
			ok = false
		}
		return ok
	})
	return ok && x.none(decl.Body)
}
