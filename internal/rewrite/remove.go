package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/locklint/locklint/internal/locks"
)

const resultUsed = "the result of the second command is used"

// drop removes the command that sets the expiry, with the handling of its error.
// cr is the create that takes over.
func (d *draft) drop(m, cr *locks.Member) string {
	u, ok := d.useOf(m.Call)
	if !ok {
		return resultUsed
	}
	parent := u.cur.Parent()
	for {
		if _, paren := parent.Node().(*ast.ParenExpr); !paren {
			break
		}
		parent = parent.Parent()
	}
	switch n := parent.Node().(type) {
	case *ast.ExprStmt, *ast.DeferStmt, *ast.GoStmt:
		return d.remove(parent)
	case *ast.AssignStmt:
		return d.dropAssigned(m, cr, parent, n)
	case *ast.ReturnStmt:
		if m.Queue == locks.NoQueue && !m.Path.Acquired() {
			return resultUsed
		}
		return d.answered(u)
	case *ast.BinaryExpr, *ast.UnaryExpr:
		// if rdb.Expire(…).Err() != nil { … }, if !rdb.Expire(…).Val() { … }
		k, _ := parent.ParentEdge()
		is, ok := parent.Parent().Node().(*ast.IfStmt)
		if !ok || k != edge.IfStmt_Cond || is.Else != nil || is.Init != nil || !d.failure(is.Cond, u.expr, nil) {
			return resultUsed
		}
		return d.remove(parent.Parent())
	}
	return resultUsed
}

// answered puts what a successful command answers in the place of its results.
func (d *draft) answered(u use) string {
	text := ""
	switch t := d.info.TypeOf(u.expr).(type) {
	case *types.Tuple:
		if t.Len() == 2 && isBool(t.At(0).Type()) && isError(t.At(1).Type()) {
			text = "true, nil"
		}
	default:
		switch {
		case t == nil:
		case isError(t):
			text = "nil"
		case isBool(t):
			text = "true"
		}
	}
	if text == "" || !d.replace(u.expr.Pos(), u.expr.End(), text) {
		return resultUsed
	}
	d.gone = append(d.gone, span{u.expr.Pos(), u.expr.End()})
	return ""
}

func isError(t types.Type) bool { return types.Identical(t, types.Universe.Lookup("error").Type()) }

func isBool(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}

// dropAssigned removes an assignment of the answer with the branch on it.
func (d *draft) dropAssigned(m, cr *locks.Member, cur inspector.Cursor, as *ast.AssignStmt) string {
	if len(as.Rhs) != 1 {
		return resultUsed
	}
	vars := map[types.Object]bool{}
	for _, l := range as.Lhs {
		if blank(l) {
			continue
		}
		v := d.variable(l)
		if v == nil || !isError(v.Type()) && !isBool(v.Type()) {
			return resultUsed
		}
		vars[v] = true
	}
	k, _ := cur.ParentEdge()
	if len(vars) == 0 {
		if k == edge.IfStmt_Init {
			return resultUsed
		}
		return d.remove(cur)
	}
	fn := function(m.Effect)
	if k == edge.IfStmt_Init {
		is := cur.Parent().Node().(*ast.IfStmt)
		if is.Else != nil || !d.failure(is.Cond, nil, vars) || !d.over(cr, m, as, is, vars, fn) {
			return resultUsed
		}
		return d.remove(cur.Parent())
	}
	if _, ok := listed(cur); !ok || !inList(k) {
		return resultUsed
	}
	if is, ok := next(cur).(*ast.IfStmt); ok && is.Init == nil && is.Else == nil && d.failure(is.Cond, nil, vars) {
		after, _ := cur.NextSibling()
		if d.over(cr, m, as, is, vars, fn) {
			if why := d.remove(cur); why != "" {
				return why
			}
			return d.remove(after)
		}
		if as.Tok == token.ASSIGN && len(as.Lhs) == 1 {
			if why := d.answered(mustUse(d, m)); why != "" {
				return why
			}
			return d.remove(after)
		}
		return resultUsed
	}
	if d.over(cr, m, as, as, vars, fn) {
		return d.remove(cur)
	}
	if as.Tok == token.ASSIGN && len(as.Lhs) == 1 && (m.Path.Acquired() || m.Queue != locks.NoQueue) {
		return d.answered(mustUse(d, m)) // err = nil
	}
	return resultUsed
}

func mustUse(d *draft, m *locks.Member) use {
	u, _ := d.useOf(m.Call)
	return u
}

func inList(k edge.Kind) bool {
	return k == edge.BlockStmt_List || k == edge.CaseClause_Body || k == edge.CommClause_Body
}

// over reports whether the variables that an assignment sets are not missed when it
// goes: they are declared there and used up to end only, or hold the same as before.
func (d *draft) over(cr, m *locks.Member, as *ast.AssignStmt, end ast.Node, vars map[types.Object]bool, fn *ast.FuncDecl) bool {
	for v := range vars {
		defined := false
		for _, l := range as.Lhs {
			if id, ok := l.(*ast.Ident); ok && d.info.Defs[id] == v {
				defined = true
			}
		}
		later := false
		for _, id := range d.planner.uses(fn, v) {
			if id.Pos() >= end.End() || defined && id.Pos() < as.Pos() {
				later = true
			}
		}
		if defined {
			if later {
				return false
			}
			continue
		}
		// The error of the create is nil where only a holder comes, and nothing
		// else was assigned since.
		same := m.Path.Acquired() && isError(v.Type())
		creates := false
		for _, x := range d.res.Defs().All(v.(*types.Var)) {
			switch {
			case x.Pos <= cr.Call.Pos() && cr.Call.Pos() < x.End && x.Rhs != nil:
				creates = true
			case x.Pos > cr.Call.Pos() && x.Pos < as.Pos():
				same = false
			}
		}
		if !(same && creates) && (later || d.named(fn, v) || d.captured(fn, v.(*types.Var))) {
			return false
		}
	}
	return true
}

// named reports whether a variable is a named result of a function or a literal.
func (d *draft) named(fn *ast.FuncDecl, v types.Object) bool {
	found := false
	ast.Inspect(fn, func(n ast.Node) bool {
		ft, ok := n.(*ast.FuncType)
		if !ok || ft.Results == nil {
			return true
		}
		for _, f := range ft.Results.List {
			for _, name := range f.Names {
				found = found || d.info.Defs[name] == v
			}
		}
		return true
	})
	return found
}

// captured reports whether a literal uses a variable from outside.
func (d *draft) captured(fn *ast.FuncDecl, v *types.Var) bool {
	found := false
	ast.Inspect(fn, func(n ast.Node) bool {
		lit, ok := n.(*ast.FuncLit)
		if !ok {
			return true
		}
		if v.Pos() < lit.Pos() || v.Pos() >= lit.End() {
			found = found || len(d.planner.uses(lit, v)) > 0
		}
		return true
	})
	return found
}

// failure reports whether a condition is false when the command succeeded: it asks
// whether its error is not nil, or its answer false.
func (d *draft) failure(cond ast.Expr, answer ast.Expr, vars map[types.Object]bool) bool {
	part := func(e ast.Expr, want func(types.Type) bool) bool {
		e = ast.Unparen(e)
		if answer != nil {
			return e == answer && want(d.info.TypeOf(e))
		}
		v := d.variable(e)
		return v != nil && vars[v] && want(v.Type())
	}
	switch x := ast.Unparen(cond).(type) {
	case *ast.UnaryExpr:
		return x.Op == token.NOT && part(x.X, isBool)
	case *ast.BinaryExpr:
		switch x.Op {
		case token.LOR:
			return d.failure(x.X, answer, vars) && d.failure(x.Y, answer, vars)
		case token.LAND:
			return d.failure(x.X, answer, vars) && d.pure(x.Y)
		case token.NEQ:
			return part(x.X, isError) && d.info.Types[x.Y].IsNil() || part(x.Y, isError) && d.info.Types[x.X].IsNil()
		}
	}
	return false
}

// remove removes a statement, and what has no more use without it: the if around
// it, the call of the literal that held nothing else.
func (d *draft) remove(cur inspector.Cursor) string {
	n := cur.Node()
	k, _ := cur.ParentEdge()
	switch {
	case k == edge.IfStmt_Else:
		if is, ok := n.(*ast.IfStmt); ok && is.Else != nil {
			return resultUsed
		}
		outer := cur.Parent().Node().(*ast.IfStmt)
		return d.cut(outer.Body.End(), n.End())
	case k == edge.LabeledStmt_Stmt:
		return "it has a label"
	case !inList(k):
		return resultUsed
	}
	body := list(cur)
	left := 0
	for _, s := range body {
		if s != n && !d.isGone(s) {
			left++
		}
	}
	if left == 0 {
		block := cur.Parent()
		bk, _ := block.ParentEdge()
		switch outer := block.Parent().Node().(type) {
		case *ast.IfStmt:
			if bk == edge.IfStmt_Else {
				return d.cut(outer.Body.End(), outer.Else.End())
			}
			if outer.Else != nil || outer.Init != nil || !d.pure(outer.Cond) {
				return "nothing would be left in the branch it stands in"
			}
			return d.remove(block.Parent())
		case *ast.FuncLit:
			call := block.Parent().Parent()
			if c, ok := call.Node().(*ast.CallExpr); ok && ast.Unparen(c.Fun) == outer {
				switch call.Parent().Node().(type) {
				case *ast.GoStmt, *ast.DeferStmt, *ast.ExprStmt:
					return d.remove(call.Parent())
				}
			}
			if k, _ := block.Parent().ParentEdge(); k == edge.AssignStmt_Rhs {
				return "nothing would be left in the func literal it stands in"
			}
		case *ast.ForStmt, *ast.RangeStmt:
			return "it stands in a loop"
		}
		if bk == edge.BlockStmt_List {
			return d.remove(block)
		}
	}
	return d.cutStmt(n)
}

func (d *draft) isGone(n ast.Node) bool {
	for _, s := range d.gone {
		if s.pos <= n.Pos() && n.End() <= s.end {
			return true
		}
	}
	return false
}

func (d *draft) cut(pos, end token.Pos) string {
	if !d.replace(pos, end, "") {
		return severalFiles
	}
	d.gone = append(d.gone, span{pos, end})
	return ""
}

// cutStmt removes the lines of a statement. A comment behind it stays, on a line
// of its own.
func (d *draft) cutStmt(n ast.Node) string {
	s := d.sourceAt(n.Pos())
	if s == nil {
		return severalFiles
	}
	pos, end := n.Pos(), n.End()
	from, to := s.lineStart(pos), s.lineEnd(end)
	tail := string(s.content[s.offset(end):to])
	switch {
	case strings.TrimSpace(s.before(pos)) != "" || to == len(s.content):
		// Other code on the line: with the semicolon.
		if t := strings.TrimLeft(tail, " \t"); strings.HasPrefix(t, ";") {
			end = s.pos(s.offset(end) + len(tail) - len(t) + 1)
		}
	case strings.TrimSpace(tail) == "":
		pos, end = s.pos(from), s.pos(to+1)
		// Not two blank lines, nor one at the end or the start of a block.
		above, below := s.lineAbove(from), s.lineBelow(to)
		if blankLine(above) && (blankLine(below) || strings.HasPrefix(strings.TrimSpace(below), "}")) {
			pos = s.pos(from - len(above))
		} else if strings.HasSuffix(strings.TrimSpace(above), "{") && blankLine(below) {
			end = s.pos(to + 1 + len(below))
		}
	case strings.HasPrefix(strings.TrimSpace(tail), "//"):
		end = s.pos(s.offset(end) + strings.Index(tail, "//"))
	}
	if !d.replace(pos, end, "") {
		return severalFiles
	}
	d.gone = append(d.gone, span{pos, end})
	return ""
}

// lineAbove is the line before the one that begins at an offset, with its newline.
func (s *source) lineAbove(start int) string {
	if start == 0 {
		return ""
	}
	i := strings.LastIndexByte(string(s.content[:start-1]), '\n') + 1
	return string(s.content[i:start])
}

// lineBelow is the line after the one that ends at an offset.
func (s *source) lineBelow(end int) string {
	if end+1 >= len(s.content) {
		return ""
	}
	rest := string(s.content[end+1:])
	if i := strings.IndexByte(rest, '\n'); i >= 0 {
		return rest[:i+1]
	}
	return rest
}

func blankLine(l string) bool { return l != "" && strings.TrimSpace(l) == "" }
