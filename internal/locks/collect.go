package locks

import (
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/locklint/locklint/internal/config"
	"github.com/locklint/locklint/internal/defs"
	"github.com/locklint/locklint/internal/keyexpr"
	"github.com/locklint/locklint/internal/rediscmd"
)

// A collector finds the effects of one package.
type collector struct {
	pass *analysis.Pass
	cfg  *config.Config
	info *types.Info
	defs *defs.Index
	fold *keyexpr.Folder
	own  *keyexpr.Folder // without the helpers of other packages
	rec  *rediscmd.Recognizer

	funcs []*Func
	byObj map[*types.Func]*Func
	decls map[*types.Func]*ast.FuncDecl
	// switches holds the switch of each case clause, whose tag a branch compares.
	switches map[*ast.CaseClause]*ast.SwitchStmt
	locals   map[*types.Var][]*ast.CallExpr // calls of a local that holds a func literal
	uses     map[types.Object][]*ast.Ident  // all uses of functions and func-valued locals
	unions   map[*types.Var]*types.Var      // slices filled from one another
	callers  map[*types.Func][]*ast.CallExpr
	scripts  scriptCache

	dropped    []*Lock  // keys without evidence, for Why
	unseen     []unseen // scripts that are not seen through, for Why
	parentMaps map[ast.Decl]map[ast.Node]ast.Node
	foreigners map[*types.Func]*Func
	impls      map[*types.Func]implementation
	farTypes   []*types.TypeName
	supplied   map[*types.Func][]int // parameters that become the value of a lock
}

func newCollector(pass *analysis.Pass, cfg *config.Config) *collector {
	c := &collector{
		pass:     pass,
		cfg:      cfg,
		info:     pass.TypesInfo,
		defs:     defs.New(pass.Files, pass.TypesInfo),
		byObj:    map[*types.Func]*Func{},
		decls:    map[*types.Func]*ast.FuncDecl{},
		switches: map[*ast.CaseClause]*ast.SwitchStmt{},
		locals:   map[*types.Var][]*ast.CallExpr{},
		uses:     map[types.Object][]*ast.Ident{},
		unions:   map[*types.Var]*types.Var{},
		callers:  map[*types.Func][]*ast.CallExpr{},

		parentMaps: map[ast.Decl]map[ast.Node]ast.Node{},
		foreigners: map[*types.Func]*Func{},
		impls:      map[*types.Func]implementation{},
		supplied:   map[*types.Func][]int{},
	}
	c.fold = &keyexpr.Folder{
		Info:   pass.TypesInfo,
		Defs:   c.defs,
		Body:   func(f *types.Func) *ast.FuncDecl { return c.decls[f] },
		Helper: c.importedKey,
	}
	// Keys are exported one call deep: what a helper of another package adds would
	// depend on which packages are analysed.
	own := *c.fold
	own.Helper = nil
	c.own = &own
	c.rec = &rediscmd.Recognizer{Info: pass.TypesInfo, Defs: c.defs}
	return c
}

// collect fills funcs with the effects of commands, in source order.
func (c *collector) collect() {
	for _, file := range c.pass.Files {
		for _, d := range file.Decls {
			if fd, ok := d.(*ast.FuncDecl); ok && fd.Body != nil {
				if obj, ok := c.info.Defs[fd.Name].(*types.Func); ok {
					c.decls[obj] = fd
				}
			}
		}
	}
	for _, file := range c.pass.Files {
		test := strings.HasSuffix(c.pass.Fset.Position(file.FileStart).Filename, "_test.go")
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if obj, ok := c.info.Defs[d.Name].(*types.Func); ok && d.Body != nil {
					c.byObj[obj] = c.function(obj, d, test)
				}
			case *ast.GenDecl:
				c.variables(d, test)
			}
		}
	}
}

// function collects the effects of one function.
func (c *collector) function(obj *types.Func, d *ast.FuncDecl, test bool) *Func {
	f := &Func{
		Obj: obj, Decl: d, Scope: keyexpr.ScopeOf(obj), Test: test,
		litOf: map[*ast.FuncLit]ast.Node{}, graphs: map[ast.Node]*graph{},
	}
	c.funcs = append(c.funcs, f)
	c.body(f)
	return f
}

// variables collects from the func literals that package variables hold: commands,
// handlers, tables. Each counts as a function of its own, named after the variable.
func (c *collector) variables(d *ast.GenDecl, test bool) {
	for _, s := range d.Specs {
		vs, ok := s.(*ast.ValueSpec)
		if !ok || len(vs.Names) == 0 {
			continue
		}
		for _, v := range vs.Values {
			ast.Inspect(v, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.Ident:
					c.use(n)
				case *ast.FuncLit:
					sig, ok := c.info.TypeOf(n).(*types.Signature)
					if !ok {
						return false
					}
					obj := types.NewFunc(n.Pos(), c.pass.Pkg, vs.Names[0].Name, sig)
					decl := &ast.FuncDecl{Name: vs.Names[0], Type: n.Type, Body: n.Body}
					c.function(obj, decl, test).literal = true
					return false
				}
				return true
			})
		}
	}
}

// body walks a declared function with its literals.
func (c *collector) body(f *Func) {
	stack := []ast.Node{f.Decl}
	var walk func(n ast.Node) bool
	walk = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			f.litOf[n] = stack[len(stack)-1]
			stack = append(stack, n)
			ast.Inspect(n.Body, walk)
			stack = stack[:len(stack)-1]
			return false
		case *ast.SwitchStmt:
			for _, s := range n.Body.List {
				if cc, ok := s.(*ast.CaseClause); ok {
					c.switches[cc] = n
				}
			}
		case *ast.AssignStmt:
			c.joinSlices(n)
		case *ast.CallExpr:
			c.call(f, stack[len(stack)-1], n)
		case *ast.Ident:
			c.use(n)
		}
		return true
	}
	ast.Inspect(f.Decl.Body, walk)
}

// use notes the uses of functions and of locals that hold one.
func (c *collector) use(id *ast.Ident) {
	switch o := c.info.Uses[id].(type) {
	case *types.Func:
		c.uses[o.Origin()] = append(c.uses[o.Origin()], id)
	case *types.Var:
		if _, ok := o.Type().Underlying().(*types.Signature); ok && !defs.IsGlobal(o) {
			c.uses[o] = append(c.uses[o], id)
		}
	}
}

func (c *collector) call(f *Func, body ast.Node, call *ast.CallExpr) {
	if cmd := c.rec.Command(call); cmd != nil {
		f.Effects = append(f.Effects, c.effects(f, body, cmd)...)
		return
	}
	if v := c.defs.Var(call.Fun); v != nil {
		if _, ok := c.defs.Resolve(call.Fun).(*ast.FuncLit); ok {
			c.locals[v] = append(c.locals[v], call)
		}
		return
	}
	fn, ok := typeutil.Callee(c.info, call).(*types.Func)
	if !ok {
		return
	}
	fn = fn.Origin()
	if c.decls[fn] != nil {
		c.callers[fn] = append(c.callers[fn], call)
	}
	f.calls = append(f.calls, call)
}

// joinSlices notes that one slice is filled from another: out = append(out, x)
// where x is an element of in, or out := in.
func (c *collector) joinSlices(n *ast.AssignStmt) {
	if len(n.Lhs) != len(n.Rhs) || n.Tok != token.ASSIGN && n.Tok != token.DEFINE {
		return
	}
	for i, l := range n.Lhs {
		out := c.defs.Var(l)
		if out == nil {
			continue
		}
		if _, ok := out.Type().Underlying().(*types.Slice); !ok {
			continue
		}
		switch r := ast.Unparen(n.Rhs[i]).(type) {
		case *ast.Ident:
			c.union(out, c.defs.Var(r))
		case *ast.CallExpr:
			id, ok := r.Fun.(*ast.Ident)
			if !ok || id.Name != "append" || len(r.Args) == 0 {
				continue
			}
			for _, a := range r.Args[1:] {
				if v := c.defs.Var(a); v != nil {
					if d, ok := c.defs.Single(v); ok && d.Range != nil && !d.Key {
						c.union(out, c.defs.Var(d.Range.X))
					}
				}
			}
			if r.Ellipsis.IsValid() {
				c.union(out, c.defs.Var(r.Args[len(r.Args)-1]))
			}
		}
	}
}

func (c *collector) find(v *types.Var) *types.Var {
	for c.unions[v] != nil && c.unions[v] != v {
		v = c.unions[v]
	}
	return v
}

func (c *collector) union(a, b *types.Var) {
	if a == nil || b == nil {
		return
	}
	if a, b = c.find(a), c.find(b); a != b {
		c.unions[a] = b
	}
}

func (c *collector) sameElem(a, b *types.Var) bool { return c.find(a) == c.find(b) }

// effects turns a command into the effects it has on each of its keys.
func (c *collector) effects(f *Func, body ast.Node, cmd *rediscmd.Command) []*Effect {
	if cmd.Verb == rediscmd.Script {
		return c.scriptEffects(f, body, cmd)
	}
	var out []*Effect
	for i, k := range c.keysOf(cmd) {
		e := &Effect{Fn: f, Body: body, Call: cmd.Call, Cmd: cmd, Lit: cmd.Name, KeyExpr: k.expr, KeyArg: i, OnlyIf: cmd.OnlyIf}
		e.Root = e
		e.collected = k.collected
		e.Key = c.fold.Fold(k.expr, f.Scope)
		e.Value.Param, e.TTL.Param = keyexpr.NoParam, keyexpr.NoParam
		c.queue(e)
		if !c.kind(e, cmd) || !e.Key.Known() {
			continue
		}
		out = append(out, e)
	}
	return out
}

// kind sets what the command does to the key; false: nothing of interest.
func (c *collector) kind(e *Effect, cmd *rediscmd.Command) bool {
	switch cmd.Verb {
	case rediscmd.Set:
		switch cmd.Cond {
		case rediscmd.IfAbsent:
			e.Kind = Create
			e.Value = c.value(cmd.Value, e.Fn)
			e.NoReply = cmd.NilReply
			e.BadArgs = len(cmd.Extra) > 0
		case rediscmd.IfEqual:
			// The token for itself: a renewal. Another value: compare and swap of data.
			e.Kind = Data
			if cmd.Match != nil && cmd.Value != nil && types.ExprString(cmd.Match) == types.ExprString(cmd.Value) {
				e.Kind = CheckedRenew
			}
			e.Value = c.value(cmd.Match, e.Fn)
		case rediscmd.Always:
			e.Kind = Overwrite
			e.Value = c.value(cmd.Value, e.Fn)
		default:
			return false
		}
		e.TTL = c.ttl(cmd.TTL, e.Fn)
	case rediscmd.Del:
		e.Kind = Free
	case rediscmd.GetDel:
		e.Kind, e.Weak = Free, true
	case rediscmd.DelEx:
		switch cmd.Cond {
		case rediscmd.IfEqual:
			e.Kind = CheckedFree
			e.Value = c.value(cmd.Match, e.Fn)
		case rediscmd.Always, rediscmd.IfDifferent:
			e.Kind, e.Weak = Free, true
		default:
			return false
		}
	case rediscmd.Expire:
		e.Kind = Expire
		e.TTL = c.ttl(cmd.TTL, e.Fn)
		if t := cmd.TTL; !t.At && (t.Kind == rediscmd.TTLNone || t.Kind == rediscmd.TTLKeep || t.Kind == rediscmd.TTLConst && t.Dur <= 0) {
			e.Kind, e.Weak = Free, true
		}
	case rediscmd.Get:
		e.Kind = Read
	case rediscmd.Inspect:
		e.Kind = Inspect
	case rediscmd.GetSet, rediscmd.Data:
		e.Kind = Data
	default:
		return false
	}
	e.Looped = e.Kind == Expire && c.inLoop(e, nil)
	if e.Kind == Free && e.Watched && e.Queue == Multi {
		e.Kind = CheckedFree
		e.Lit = "WATCH with TxPipelined"
	}
	if e.Kind == Expire && e.Watched && e.Queue == Multi {
		e.Kind = CheckedRenew
		e.Lit = "WATCH with TxPipelined"
	}
	return true
}

// A keyArg is one key of a command.
type keyArg struct {
	expr      ast.Expr
	collected ast.Node // the element, where the key is one of a slice
}

// keysOf returns the keys of a command; a slice that holds only known keys is
// taken apart.
func (c *collector) keysOf(cmd *rediscmd.Command) []keyArg {
	var out []keyArg
	for i, k := range cmd.Keys {
		if cmd.Spread && i == len(cmd.Keys)-1 {
			if elems, ok := c.defs.Elems(k); ok {
				for _, e := range elems {
					out = append(out, keyArg{e, e})
				}
				continue
			}
		}
		out = append(out, keyArg{expr: k})
	}
	return out
}

// ttl notes which parameter an expiry is.
func (c *collector) ttl(t rediscmd.TTL, f *Func) TTL {
	out := TTL{TTL: t, Param: keyexpr.NoParam}
	if t.Kind != rediscmd.TTLUnknown || t.Expr == nil || f == nil {
		return out
	}
	if k := c.fold.Fold(t.Expr, f.Scope); k.Bare() && k.Parts[0].Hole.Param >= 0 && strings.Count(k.Parts[0].Hole.Path, ".") <= 1 {
		out.Param, out.Path = k.Parts[0].Hole.Param, k.Parts[0].Hole.Path
		return out
	}
	// ttl*time.Second, time.Duration(ttl)*time.Second: zero stays zero.
	e := ast.Unparen(c.defs.Resolve(t.Expr))
	if b, ok := e.(*ast.BinaryExpr); ok && b.Op == token.MUL {
		for _, x := range []ast.Expr{b.X, b.Y} {
			if k := c.fold.Fold(x, f.Scope); k.Param() != keyexpr.NoParam {
				out.Param = k.Param()
			}
		}
	}
	return out
}

// where shows a position as file:line.
func (c *collector) where(pos token.Pos) string {
	p := c.pass.Fset.Position(pos)
	return filepath.Base(p.Filename) + ":" + strconv.Itoa(p.Line)
}
