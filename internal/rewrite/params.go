package rewrite

import (
	"bytes"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/locklint/locklint/internal/locks"
)

// byParameter gives the functions that acquire and free the lock a parameter for the
// token, which their callers make: only where no signature changes that another
// package or file can see, and where each caller both acquires and frees.
func (d *draft) byParameter(creates, others []*locks.Member) string {
	travel := d.travel(creates[0], others)
	var fns []*locks.Func
	acquires := map[*locks.Func]bool{}
	for i, m := range slices.Concat(creates, others) {
		if m.Derived() || m.Fn.Obj.Exported() || m.Fn.Obj.Name() == "init" || m.Fn.Obj.Name() == "main" || m.Fn.Obj.Signature().Variadic() {
			return travel
		}
		if !slices.Contains(fns, m.Fn) {
			fns = append(fns, m.Fn)
		}
		if i < len(creates) {
			acquires[m.Fn] = true
		}
	}
	for _, m := range others {
		if acquires[m.Fn] {
			return travel
		}
	}
	type caller struct {
		decl          *ast.FuncDecl
		acquire, free []*ast.CallExpr
	}
	var callers []*caller
	for _, fn := range fns {
		calls, all := d.res.Calls(fn.Obj)
		if !all || len(calls) == 0 || d.elsewhere(fn.Decl.Pos(), fn.Name()) {
			return travel
		}
		for _, call := range calls {
			decl := d.declared(call.Pos())
			if decl == nil || slices.ContainsFunc(fns, func(f *locks.Func) bool { return f.Decl == decl }) {
				return travel
			}
			i := slices.IndexFunc(callers, func(c *caller) bool { return c.decl == decl })
			if i < 0 {
				callers = append(callers, &caller{decl: decl})
				i = len(callers) - 1
			}
			if acquires[fn] {
				callers[i].acquire = append(callers[i].acquire, call)
			} else {
				callers[i].free = append(callers[i].free, call)
			}
		}
	}

	names := map[*locks.Func]string{}
	for _, fn := range fns {
		names[fn] = d.fresh(fn.Decl, "token")
		params := fn.Decl.Type.Params
		text := names[fn] + " string"
		pos := params.Closing
		if n := len(params.List); n > 0 {
			if len(params.List[n-1].Names) == 0 {
				return travel
			}
			last := params.List[n-1]
			pos, text = last.End(), ", "+text
			if id, ok := last.Type.(*ast.Ident); ok && d.info.Uses[id] == types.Universe.Lookup("string") {
				pos, text = last.Names[len(last.Names)-1].End(), ", "+names[fn]
			}
		}
		if !d.insert(pos, text) {
			return severalFiles
		}
	}
	for _, cr := range creates {
		e := cr.Value.Expr
		if e == nil || !d.inside(e, cr.Call) {
			return "the value is chosen in a helper"
		}
		if !d.replace(e.Pos(), e.End(), names[cr.Fn]) {
			return severalFiles
		}
	}
	for _, m := range others {
		switch m.Kind {
		case locks.CheckedFree, locks.CheckedRenew:
			if m.Value.Expr == nil || !d.inside(m.Value.Expr, m.Call) || m.Value.Kind == locks.ValueKept {
				return "the release compares with something of its own"
			}
			if !d.replace(m.Value.Expr.Pos(), m.Value.Expr.End(), names[m.Fn]) {
				return severalFiles
			}
		default:
			if why := d.compare(m, names[m.Fn]); why != "" {
				return why
			}
		}
	}
	for _, c := range callers {
		if len(c.acquire) == 0 || len(c.free) == 0 {
			return travel
		}
		if why := d.passToken(c.decl, c.acquire, c.free); why != "" {
			return why
		}
	}
	return ""
}

// passToken makes a token in a caller and hands it to what acquires and frees.
func (d *draft) passToken(decl *ast.FuncDecl, acquire, free []*ast.CallExpr) string {
	var nodes, creates []ast.Node
	for _, call := range acquire {
		nodes, creates = append(nodes, call), append(creates, call)
	}
	for _, call := range free {
		nodes = append(nodes, call)
	}
	before, why := d.common(nodes, creates)
	if why != "" {
		return why
	}
	name := d.fresh(decl, "token")
	text, ok := d.freshToken(before, name, decl)
	s := d.sourceAt(before.Pos())
	if !ok || s == nil {
		return "no source of tokens can be imported"
	}
	if !d.insert(before.Pos(), text+"\n"+s.indent(before.Pos())) {
		return severalFiles
	}
	for _, call := range slices.Concat(acquire, free) {
		pos, arg := call.Rparen, name
		if n := len(call.Args); n > 0 {
			pos, arg = call.Args[n-1].End(), ", "+name
		}
		if call.Ellipsis.IsValid() || !d.insert(pos, arg) {
			return severalFiles
		}
	}
	return ""
}

// elsewhere reports whether a file of the package's folder that is not part of this
// analysis, a test or one of another platform, has a text in it.
func (p *planner) elsewhere(pos token.Pos, text string) bool {
	dir := filepath.Dir(p.pass.Fset.Position(pos).Filename)
	known := map[string]bool{}
	for _, f := range p.pass.Files {
		known[p.pass.Fset.File(f.FileStart).Name()] = true
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return true
	}
	for _, e := range entries {
		name := filepath.Join(dir, e.Name())
		if !strings.HasSuffix(name, ".go") || known[name] {
			continue
		}
		if data, err := os.ReadFile(name); err != nil || bytes.Contains(data, []byte(text)) {
			return true
		}
	}
	return false
}
