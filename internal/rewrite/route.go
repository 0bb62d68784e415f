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

// A route is the way of a token through a package: from the functions that have it,
// down the calls of functions that get it as a parameter, to what acquires and frees
// the lock.
type route struct {
	roots, passed []*stop
}

// A stop is a function on a route.
type stop struct {
	decl            *ast.FuncDecl
	creates, others []*locks.Member
	// calls are those of functions that get the token; acquiring of these, those
	// that create the key.
	calls, acquiring []*ast.CallExpr
	acquires, frees  bool
	// lits are handles that it makes, which hold the token in a field.
	lits  []*ast.CompositeLit
	field string
	// stuck says that not all calls of the function can be changed.
	stuck bool
}

// mostStops bounds how many functions a plan changes.
const mostStops = 8

// A router finds a route.
type router struct {
	*draft
	creates, others []*locks.Member
	known           map[*ast.CallExpr]bool // calls that act on the lock
	bound           map[*ast.FuncDecl]bool // functions that act on what they are called with
	roots           map[*ast.FuncDecl]bool
	stops           map[*ast.FuncDecl]*stop
	order           []*stop
}

// route finds the way of a token to all of the members. Functions that acquire and
// free, themselves or by what they call, have the token: they are the roots. The
// others must be open to a new parameter. A create is taken where its value is given:
// at the call of a wrapper, if supplied says so. Nil: there is none.
func (d *draft) route(creates, others []*locks.Member, supplied bool) *route {
	r := &router{draft: d, known: map[*ast.CallExpr]bool{}, bound: map[*ast.FuncDecl]bool{}, roots: map[*ast.FuncDecl]bool{}}
	var ok bool
	if r.creates, ok = r.own(creates, supplied); !ok {
		return nil
	}
	if r.others, ok = r.own(others, false); !ok {
		return nil
	}
	for {
		r.climb()
		more := r.next()
		if len(more) == 0 {
			break
		}
		for _, s := range more {
			r.roots[s.decl] = true
		}
	}
	out := &route{}
	for _, s := range r.order {
		switch {
		case r.roots[s.decl]:
			out.roots = append(out.roots, s)
		case !s.stuck && s.acquires != s.frees && r.open(s.decl):
			out.passed = append(out.passed, s)
		default:
			return nil
		}
	}
	if len(r.order) > mostStops {
		return nil
	}
	return out
}

// own returns the members as the commands that they come down to, where these stand
// in helpers of this package, or as the calls that supply the value.
func (r *router) own(members []*locks.Member, supplied bool) ([]*locks.Member, bool) {
	var out []*locks.Member
	for _, m := range members {
		e := m.Effect
		for e.Step != nil && !(supplied && e.ValueSupplied()) {
			if e.Call == nil {
				return nil, false
			}
			r.known[e.Call] = true
			e = e.Step
			if e.Fn != nil {
				r.bound[e.Fn.Decl] = true
			}
		}
		if e.Call == nil || e.Fn == nil || e.Fn.Decl == nil || r.file(e.Pos()) == nil {
			return nil, false
		}
		if e != m.Effect {
			m = &locks.Member{Effect: e, Lock: m.Lock, At: m.At}
		}
		if !slices.ContainsFunc(out, func(o *locks.Member) bool { return o.Call == m.Call && o.Kind == m.Kind }) {
			out = append(out, m)
		}
	}
	return out, true
}

// climb collects the functions that need the token: those of the members, and all
// that call one that is no root.
func (r *router) climb() {
	r.stops, r.order = map[*ast.FuncDecl]*stop{}, nil
	at := func(decl *ast.FuncDecl) *stop {
		s := r.stops[decl]
		if s == nil {
			s = &stop{decl: decl}
			r.stops[decl] = s
			r.order = append(r.order, s)
		}
		return s
	}
	for _, m := range r.creates {
		s := at(m.Fn.Decl)
		s.creates, s.acquires = append(s.creates, m), true
	}
	for _, m := range r.others {
		s := at(m.Fn.Decl)
		s.others, s.frees = append(s.others, m), true
	}
	for i := 0; i < len(r.order) && len(r.order) <= 2*mostStops; i++ {
		r.mark()
		s := r.order[i]
		if s.acquires && s.frees || r.roots[s.decl] {
			continue
		}
		calls, all := r.res.Calls(r.object(s.decl))
		s.stuck = !all || len(calls) == 0
		for _, call := range calls {
			decl := r.declared(call.Pos())
			if decl == s.decl && r.again(s, call) {
				s.calls = append(s.calls, call)
				continue
			}
			if decl == nil || r.bound[s.decl] && !r.known[call] {
				s.stuck = true
				continue
			}
			if c := at(decl); !slices.Contains(c.calls, call) {
				c.calls = append(c.calls, call)
			}
		}
	}
	r.mark()
}

// again reports whether a function calls itself for the same key.
func (r *router) again(s *stop, call *ast.CallExpr) bool {
	if len(s.creates)+len(s.others) == 0 {
		return false
	}
	params := parameters(r.object(s.decl))
	for _, m := range slices.Concat(s.creates, s.others) {
		if m.Key.UsesParam() && m.Key.Param() < 0 {
			return false
		}
		if i := m.Key.Param(); i >= 0 && (i >= len(call.Args) || r.variable(call.Args[i]) != params[i] || !r.res.Defs().Fixed(params[i])) {
			return false
		}
	}
	return !slices.Contains(s.calls, call)
}

// mark says of each function what it does by the functions it calls.
func (r *router) mark() {
	for changed := true; changed; {
		changed = false
		for _, s := range r.order {
			for _, call := range s.calls {
				callee := r.callee(r.order, call)
				if callee.acquires && !slices.Contains(s.acquiring, call) {
					s.acquiring = append(s.acquiring, call)
				}
				if callee.acquires && !s.acquires || callee.frees && !s.frees {
					s.acquires, s.frees = s.acquires || callee.acquires, s.frees || callee.frees
					changed = true
				}
			}
		}
	}
}

// callee returns the function on a route that a call is of.
func (d *draft) callee(stops []*stop, call *ast.CallExpr) *stop {
	for _, s := range stops {
		if calls, _ := d.res.Calls(d.object(s.decl)); slices.Contains(calls, call) {
			return s
		}
	}
	return nil
}

func (d *draft) object(decl *ast.FuncDecl) *types.Func {
	fn, _ := d.info.Defs[decl.Name].(*types.Func)
	return fn
}

// next returns the functions that turn out to be roots: they do both, and call none
// that does.
func (r *router) next() []*stop {
	both := func(s *stop) bool { return s.acquires && s.frees && !r.roots[s.decl] }
	var out []*stop
	for _, s := range r.order {
		if both(s) && !r.reaches(s, s, both, map[*stop]bool{}) {
			out = append(out, s)
		}
	}
	return out
}

func (r *router) reaches(s, from *stop, both func(*stop) bool, seen map[*stop]bool) bool {
	if seen[s] {
		return false
	}
	seen[s] = true
	for _, call := range s.calls {
		if c := r.callee(r.order, call); c != from && (both(c) || r.reaches(c, from, both, seen)) {
			return true
		}
	}
	return false
}

// open reports whether a function can be given another parameter: nothing outside
// this file's package can see its signature, and no interface asks for it.
func (d *draft) open(decl *ast.FuncDecl) bool {
	fn := d.object(decl)
	if fn == nil || fn.Exported() || fn.Name() == "init" || fn.Name() == "main" || fn.Name() == "_" || fn.Signature().Variadic() || decl.Body == nil {
		return false
	}
	if n := len(decl.Type.Params.List); n > 0 && len(decl.Type.Params.List[n-1].Names) == 0 {
		return false
	}
	if decl.Recv != nil {
		for _, obj := range d.info.Defs {
			if m, ok := obj.(*types.Func); ok && m.Name() == fn.Name() && m != fn && m.Signature().Recv() != nil && types.IsInterface(m.Signature().Recv().Type()) {
				return false
			}
		}
	}
	return !d.elsewhere(decl.Pos(), fn.Name())
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
