package rewrite

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/cfg"
)

// bypassed reports whether a node can be reached from a position, in the function around
// that, by a way that runs none of the creates: what the node does is then meant for an
// acquisition of another turn, or of another call. A guard that is false until a create
// was answered closes such a way.
func (d *draft) bypassed(from token.Pos, target ast.Node, creates []ast.Node, guards bool) bool {
	body := d.bodyAt(from)
	if body == nil {
		return true
	}
	for _, spot := range d.spots(target) {
		if n := spot.Node(); n.Pos() < body.Pos() || body.End() < n.End() {
			return true
		}
		if d.around(body, from, spot.Node(), creates) && !(guards && d.guarded(from, spot, creates)) {
			return true
		}
	}
	return false
}

// bodyAt is the body of the innermost function around a position.
func (d *draft) bodyAt(pos token.Pos) *ast.BlockStmt {
	fn := d.declared(pos)
	if fn == nil {
		return nil
	}
	body := fn.Body
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if lit, ok := n.(*ast.FuncLit); ok && lit.Body.Pos() <= pos && pos < lit.Body.End() {
			body = lit.Body
		}
		return true
	})
	return body
}

// around walks the flow of a body from a position to a target, and past no create.
func (d *draft) around(body *ast.BlockStmt, from token.Pos, target ast.Node, creates []ast.Node) bool {
	g := cfg.New(body, func(call *ast.CallExpr) bool {
		id, ok := ast.Unparen(call.Fun).(*ast.Ident)
		return !ok || id.Name != "panic"
	})
	created := func(n ast.Node) (cr ast.Node) {
		for _, create := range creates {
			for _, c := range d.places(create) {
				if d.inside(c.Node(), n) && (c.Node() == create || d.always(create)) {
					return c.Node()
				}
			}
		}
		return nil
	}
	var first *cfg.Block
	at := 0
	for _, b := range g.Blocks {
		for i, n := range b.Nodes {
			if b.Live && n.Pos() >= from && (first == nil || n.Pos() < first.Nodes[at].Pos()) {
				first, at = b, i
			}
		}
	}
	if first == nil {
		return true
	}
	seen := map[*cfg.Block]bool{}
	var walk func(b *cfg.Block, i int) bool
	walk = func(b *cfg.Block, i int) bool {
		ways := b.Succs
		for k, n := range b.Nodes[i:] {
			if cr := created(n); cr != nil {
				which, sure := lazily(n, cr)
				switch {
				case sure:
					return false
				case i+k == len(b.Nodes)-1 && len(b.Succs) == 2:
					ways = b.Succs[which : which+1]
				}
			}
			if d.inside(target, n) {
				return true
			}
		}
		for _, next := range ways {
			if !seen[next] {
				seen[next] = true
				if walk(next, 0) {
					return true
				}
			}
		}
		return false
	}
	return walk(first, at)
}

// always reports whether a func literal that creates the key does so whenever it runs.
func (d *draft) always(create ast.Node) bool {
	cur, ok := d.root.FindNode(create)
	if !ok {
		return false
	}
	for c := range cur.Enclosing() {
		switch n := c.Node().(type) {
		case *ast.FuncLit:
			left := false
			ast.Inspect(n.Body, func(x ast.Node) bool {
				if r, ok := x.(*ast.ReturnStmt); ok && r.End() <= create.Pos() {
					left = true
				}
				return !is[*ast.FuncLit](x)
			})
			return !left
		case ast.Stmt:
			if _, sure := lazily(n, create); !sure {
				return false
			}
			switch k, _ := c.ParentEdge(); k {
			case edge.IfStmt_Body, edge.IfStmt_Else, edge.CaseClause_Body, edge.CommClause_Body:
				return false
			}
		}
	}
	return true
}

// lazily reports whether a call in an expression runs always, and if not, which way a
// branch on the expression goes without it: 0 where it is true, 1 where it is false.
func lazily(n, call ast.Node) (which int, always bool) {
	e, ok := n.(ast.Expr)
	if !ok {
		always = true
		ast.Inspect(n, func(n ast.Node) bool {
			if b, ok := n.(*ast.BinaryExpr); ok && (b.Op == token.LAND || b.Op == token.LOR) && b.Y.Pos() <= call.Pos() && call.End() <= b.Y.End() {
				always = false
			}
			return always
		})
		return 0, always
	}
	switch x := ast.Unparen(e).(type) {
	case *ast.BinaryExpr:
		if x.Op != token.LAND && x.Op != token.LOR {
			break
		}
		if x.X.Pos() <= call.Pos() && call.End() <= x.X.End() {
			return lazily(x.X, call)
		}
		if x.Op == token.LAND {
			return 1, false
		}
		return 0, false
	case *ast.UnaryExpr:
		if x.Op == token.NOT {
			which, always = lazily(x.X, call)
			return 1 - which, always
		}
	}
	return 0, true
}

// guarded reports whether a node stands behind a variable that is true only where a
// create was answered so, in the same turn and call: if ok { … }, if !ok { return }.
func (d *draft) guarded(from token.Pos, cur inspector.Cursor, creates []ast.Node) bool {
	guard := func(e ast.Expr) bool {
		v := d.variable(e)
		return v != nil && isBool(v.Type()) && d.local(v, from) && d.answersOnly(v, creates)
	}
	for c := range cur.Enclosing() {
		if is, ok := c.Node().(*ast.IfStmt); ok && d.inside(cur.Node(), is.Body) && implies(is.Cond, guard) {
			return true
		}
		if k, _ := c.ParentEdge(); !inList(k) || c.Node().Pos() < from {
			continue
		}
		for _, s := range list(c) {
			is, ok := s.(*ast.IfStmt)
			if s.Pos() >= c.Node().Pos() {
				break
			}
			if ok && s.Pos() > from && is.Else == nil && d.ends(is.Body.List) && implied(is.Cond, guard) {
				return true
			}
		}
	}
	return false
}

// implies reports whether a condition is true only if a guard is.
func implies(e ast.Expr, guard func(ast.Expr) bool) bool {
	e = ast.Unparen(e)
	if b, ok := e.(*ast.BinaryExpr); ok && b.Op == token.LAND {
		return implies(b.X, guard) || implies(b.Y, guard)
	}
	return guard(e)
}

// implied reports whether a condition is true wherever a guard is false.
func implied(e ast.Expr, guard func(ast.Expr) bool) bool {
	switch x := ast.Unparen(e).(type) {
	case *ast.BinaryExpr:
		return x.Op == token.LOR && (implied(x.X, guard) || implied(x.Y, guard))
	case *ast.UnaryExpr:
		return x.Op == token.NOT && implies(x.X, guard)
	}
	return false
}

// local reports whether a variable is one of the function around a position, and of the
// same turn of each loop around it.
func (d *draft) local(v *types.Var, pos token.Pos) bool {
	fn := d.declared(pos)
	if fn == nil || v.IsField() || v.Pos() < fn.Body.Pos() || fn.Body.End() <= v.Pos() {
		return false
	}
	ok := true
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt, *ast.FuncLit:
			if n.Pos() < pos && pos < n.End() && v.Pos() < n.Pos() {
				ok = false
			}
		}
		return true
	})
	return ok
}

// answersOnly reports whether a variable is false, or what a create was answered.
func (d *draft) answersOnly(v *types.Var, creates []ast.Node) bool {
	answered := false
	for _, def := range d.res.Defs().All(v) {
		switch {
		case def.Zero:
		case def.Rhs == nil:
			return false
		case slices.ContainsFunc(creates, func(cr ast.Node) bool { return d.inside(cr, def.Rhs) }):
			always := true
			ast.Inspect(def.Rhs, func(n ast.Node) bool {
				b, ok := n.(*ast.BinaryExpr)
				always = always && !(ok && b.Op == token.LOR)
				return always
			})
			if !always {
				return false
			}
			answered = true
		default:
			if c := d.info.Types[def.Rhs].Value; c == nil || c.Kind() != constant.Bool || constant.BoolVal(c) {
				return false
			}
		}
	}
	return answered
}

// spots are where a node that frees may run: itself, or each use of the local that
// holds the literal it stands in.
func (d *draft) spots(n ast.Node) []inspector.Cursor {
	return d.through(n,
		func(v *types.Var, _ *ast.FuncLit) bool { return !v.IsField() },
		func(id *ast.Ident, lit *ast.FuncLit) bool {
			k, _ := d.edgeOf(id)
			return k != edge.AssignStmt_Lhs && !d.inside(id, lit)
		})
}

// through follows a node to the uses of the local that holds the func literal it stands
// in, again and again; which locals and which uses is asked.
func (d *draft) through(n ast.Node, follow func(*types.Var, *ast.FuncLit) bool, counts func(*ast.Ident, *ast.FuncLit) bool) []inspector.Cursor {
	cur, ok := d.root.FindNode(n)
	if !ok {
		return nil
	}
	for c := range cur.Enclosing((*ast.FuncLit)(nil)) {
		if k, _ := c.ParentEdge(); k != edge.AssignStmt_Rhs {
			continue
		}
		lit, as := c.Node().(*ast.FuncLit), c.Parent().Node().(*ast.AssignStmt)
		if len(as.Lhs) != 1 {
			continue
		}
		v := d.variable(as.Lhs[0])
		if v == nil || !follow(v, lit) {
			continue
		}
		var out []inspector.Cursor
		for _, id := range d.uses(d.file(n.Pos()), v) {
			if counts(id, lit) {
				out = append(out, d.through(id, follow, counts)...)
			}
		}
		if len(out) > 0 {
			return out
		}
	}
	return []inspector.Cursor{cur}
}

func (d *draft) edgeOf(n ast.Node) (edge.Kind, int) {
	cur, ok := d.root.FindNode(n)
	if !ok {
		return edge.Invalid, -1
	}
	return cur.ParentEdge()
}

// early reports whether a node is deferred before anything is created: it runs whether
// or not the lock was acquired, and frees nothing where it was not.
func (d *draft) early(n ast.Node, creates []ast.Node) bool {
	cur, ok := d.root.FindNode(n)
	if !ok {
		return false
	}
	for c := range cur.Enclosing((*ast.DeferStmt)(nil)) {
		before := func(cr ast.Node) bool { return cr.Pos() < c.Node().Pos() || !d.plain(cr, c) }
		if !slices.ContainsFunc(creates, before) {
			return true
		}
	}
	return false
}

// plain reports whether a node stands under no condition that another does not stand
// under as well.
func (d *draft) plain(n ast.Node, beside inspector.Cursor) bool {
	for _, place := range d.places(n) {
		for c := range place.Enclosing() {
			if c.Node().Pos() <= beside.Node().Pos() {
				break
			}
			switch k, _ := c.ParentEdge(); k {
			case edge.IfStmt_Body, edge.IfStmt_Else, edge.CaseClause_Body, edge.CommClause_Body:
				return false
			}
		}
		if place.Node() != n && !d.always(n) {
			return false
		}
	}
	return true
}

// anotherTurn reports whether a token that a local has may be another, or none that was
// stored, where the lock is freed: the local is made anew on a way that creates nothing.
func (d *draft) anotherTurn(e ast.Expr, free ast.Node, creates []ast.Node) bool {
	v := d.variable(e)
	if v == nil || v.IsField() || len(creates) == 0 {
		return false
	}
	def, ok := d.res.Defs().Single(v)
	if !ok || def.Rhs == nil {
		return false // a parameter: its caller knows
	}
	cur, ok := d.root.FindNode(free)
	if !ok {
		return true
	}
	for c := range cur.Enclosing((*ast.ForStmt)(nil), (*ast.RangeStmt)(nil)) {
		loop := c.Node()
		if loop.Pos() > def.Pos && slices.ContainsFunc(creates, func(cr ast.Node) bool { return d.inside(cr, loop) }) {
			return false // the token stays from turn to turn
		}
	}
	return !d.early(free, creates) && d.bypassed(def.Pos, free, creates, true)
}
