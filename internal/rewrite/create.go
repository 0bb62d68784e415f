package rewrite

import (
	"go/ast"
	"go/format"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/locklint/locklint/internal/locks"
	"github.com/locklint/locklint/internal/rediscmd"
)

// create gives a create its expiry.
func (d *draft) create(cr *locks.Member, t ttl) string {
	cmd := cr.Cmd
	switch {
	case cmd == nil && cr.TTLSupplied():
		return d.supplied(cr, t)
	case cmd == nil:
		return "the key is created in a helper that fixes its expiry"
	case cr.Script:
		return "a script creates the key"
	case cmd.Options != nil:
		return d.options(cr, t)
	case !cmd.Method:
		return d.rawCreate(cr, t)
	case cmd.Name != "SetNX" || cmd.TTL.Expr == nil:
		return "the options of " + cmd.Name + " are not written in the call"
	}
	why := d.try(func() string { return d.setArgs(cr, t) })
	if why == "" {
		return ""
	}
	// The same create with the expiry: every use keeps its meaning.
	if t.at {
		return "its answer is used in a way that only SetNX gives, which takes no point in time"
	}
	if !d.replace(cmd.TTL.Expr.Pos(), cmd.TTL.Expr.End(), t.text) {
		return severalFiles
	}
	return ""
}

// supplied gives the expiry to a wrapper that takes it.
func (d *draft) supplied(cr *locks.Member, t ttl) string {
	arg := cr.TTL.Expr
	if arg == nil || t.at || !isDuration(d.info.TypeOf(arg)) || arg.Pos() < cr.Call.Pos() || arg.End() > cr.Call.End() {
		return "the wrapper takes its expiry in another form"
	}
	if !d.replace(arg.Pos(), arg.End(), t.text) {
		return severalFiles
	}
	return ""
}

// options adds the expiry to the SetArgs literal in the call.
func (d *draft) options(cr *locks.Member, t ttl) string {
	lit := cr.Cmd.Options
	if lit.Pos() < cr.Call.Pos() || lit.End() > cr.Call.End() {
		return "the options are not written in the call"
	}
	field := "TTL: " + spaced(t.text)
	if t.at {
		field = "ExpireAt: " + spaced(t.text)
	}
	for _, el := range lit.Elts {
		kv, ok := el.(*ast.KeyValueExpr)
		if !ok {
			return "the options are not written by name"
		}
		if id, ok := kv.Key.(*ast.Ident); ok && (id.Name == "TTL" || id.Name == "KeepTTL") {
			if !d.replace(kv.Pos(), kv.End(), field) {
				return severalFiles
			}
			return ""
		}
	}
	s := d.sourceAt(lit.Pos())
	if s == nil || len(lit.Elts) == 0 {
		return "the options are not written by name"
	}
	last := lit.Elts[len(lit.Elts)-1]
	text := ", " + field
	if s.tok.Line(last.End()) != s.tok.Line(lit.Rbrace) {
		text = ",\n" + s.indent(last.Pos()) + field
	}
	if !d.insert(last.End(), text) {
		return severalFiles
	}
	return ""
}

// rawCreate gives the expiry to a command sent as words. SET takes it; SETNX
// becomes the typed method, where its answer allows.
func (d *draft) rawCreate(cr *locks.Member, t ttl) string {
	cmd := cr.Cmd
	if t.at {
		return "the expiry is a point in time"
	}
	if cmd.NilReply { // SET … NX
		last := cr.Call.Args[len(cr.Call.Args)-1]
		if cmd.TTL.Kind == rediscmd.TTLKeep || cr.Call.Ellipsis.IsValid() {
			return "the words of the command hold KEEPTTL"
		}
		if !d.insert(last.End(), `, "PX", `+paren(t.text)+".Milliseconds()") {
			return severalFiles
		}
		return ""
	}
	return d.typed(cr.Effect, t.text)
}

// typed turns Do(ctx, "SETNX", key, value, …) into SetNX(ctx, key, value, ttl).
func (d *draft) typed(e *locks.Effect, ttl string) string {
	u, ok := d.useOf(e.Call)
	sel := selector(e.Call)
	if !ok || sel == nil || sel.Sel.Name != "Do" || d.hasMethod(sel.X, "SetNX") == nil {
		return "SETNX is sent in a way that SetNX does not know"
	}
	switch u.method {
	case "Err":
	case "Bool":
		d.replace(u.sel.Pos(), u.sel.End(), "Result")
	case "":
		if k, _ := u.cur.ParentEdge(); k != edge.ExprStmt_X {
			return "the command is kept"
		}
	default:
		return "its answer is used in a way that only Do gives"
	}
	words := e.Cmd.Call.Args
	i := 0
	if e.Cmd.Lib.Context {
		i = 1
	}
	value := e.Cmd.Value
	if len(words) < i+3 {
		return "its words are not known"
	}
	ok = d.replace(sel.Sel.Pos(), sel.Sel.End(), "SetNX") &&
		d.replace(words[i].Pos(), words[i+1].Pos(), "") &&
		d.replace(value.End(), words[len(words)-1].End(), ", "+ttl)
	if !ok {
		return severalFiles
	}
	return ""
}

// spaced formats an argument as gofmt formats the value of a field.
func spaced(text string) string {
	const head = "package p\n\nvar _ = "
	out, err := format.Source([]byte(head + text + "\n"))
	if err != nil || strings.Contains(text, "\n") {
		return text
	}
	return strings.TrimSuffix(strings.TrimPrefix(string(out), head), "\n")
}

// paren puts parentheses around the text of an expression unless it is one operand.
func paren(text string) string {
	depth := 0
	for _, r := range text {
		switch r {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case ' ', '*', '/', '+', '-', '<', '>', '&', '|', '^', '%':
			if depth == 0 {
				return "(" + text + ")"
			}
		}
	}
	return text
}

const otherUse = "its answer is used in a way that SetArgs cannot keep"

// setArgs turns SetNX into SetArgs with mode NX and the expiry, and every use of
// the answer with it: a held lock stays false without an error.
func (d *draft) setArgs(cr *locks.Member, t ttl) string {
	cmd, call := cr.Cmd, cr.Call
	sel := selector(call)
	if cr.Queue != locks.NoQueue || sel == nil || call.Ellipsis.IsValid() {
		return otherUse
	}
	fn := d.hasMethod(cmd.Client, "SetArgs")
	if fn == nil {
		return "its client has no SetArgs"
	}
	params := fn.Signature().Params()
	if params.Len() == 0 {
		return otherUse
	}
	opts, ok := types.Unalias(params.At(params.Len() - 1).Type()).(*types.Named)
	if !ok || opts.Obj().Name() != "SetArgs" || opts.Obj().Pkg() == nil || !isLibrary(opts.Obj().Pkg().Path()) {
		return otherUse
	}
	lib := opts.Obj().Pkg()
	u, ok := d.useOf(call)
	if !ok {
		return otherUse
	}
	q, ok := d.qualifier(lib.Path(), "SetArgs", call.Pos())
	if !ok {
		return otherUse
	}
	field := "TTL"
	if t.at {
		field = "ExpireAt"
	}
	arg := q + `SetArgs{Mode: "NX", ` + field + ": " + spaced(t.text) + "}"
	if !d.replace(sel.Sel.Pos(), sel.Sel.End(), "SetArgs") || !d.replace(cmd.TTL.Expr.Pos(), cmd.TTL.Expr.End(), arg) {
		return severalFiles
	}
	c := &answer{draft: d, cr: cr, u: u, lib: lib.Path()}
	return c.rewrite()
}

// An answer rewrites the uses of what SetNX answered to what SetArgs answers.
type answer struct {
	*draft
	cr  *locks.Member
	u   use
	lib string
}

func (a *answer) rewrite() string {
	parent := a.u.cur.Parent()
	expr := a.u.cur
	for {
		if _, ok := parent.Node().(*ast.ParenExpr); !ok {
			break
		}
		expr, parent = parent, parent.Parent()
	}
	switch n := parent.Node().(type) {
	case *ast.ExprStmt, *ast.GoStmt, *ast.DeferStmt:
		return ""
	case *ast.AssignStmt:
		if len(n.Rhs) != 1 {
			if a.u.method == "Val" {
				return a.val(expr, parent)
			}
			return otherUse
		}
		all := true
		for _, l := range n.Lhs {
			all = all && blank(l)
		}
		if all {
			return ""
		}
		switch a.u.method {
		case "Val":
			return a.val(expr, parent)
		case "Err":
			return a.err(parent, n)
		case "Result":
			return a.result(parent, n)
		case "":
			return a.kept(parent, n)
		}
		return otherUse
	case *ast.ReturnStmt:
		switch {
		case a.u.method == "Val":
			return a.val(expr, parent)
		case a.u.method == "Result" && len(n.Results) == 1:
			return a.returned(parent, n)
		}
		return otherUse
	}
	if a.u.method == "Val" {
		return a.val(expr, parent)
	}
	return otherUse
}

// val: x.Val() becomes x.Val() == "OK", !x.Val() becomes x.Val() != "OK".
func (a *answer) val(expr, parent inspector.Cursor) string {
	e := expr.Node()
	switch p := parent.Node().(type) {
	case *ast.UnaryExpr:
		if p.Op != token.NOT {
			return otherUse
		}
		if a.tight(parent) {
			if !a.replace(p.OpPos, p.OpPos+1, "(") || !a.insert(e.End(), ` != "OK")`) {
				return severalFiles
			}
			return ""
		}
		if !a.replace(p.OpPos, p.OpPos+1, "") || !a.insert(e.End(), ` != "OK"`) {
			return severalFiles
		}
		return ""
	}
	if a.tight(expr) {
		if !a.insert(e.Pos(), "(") || !a.insert(e.End(), ` == "OK")`) {
			return severalFiles
		}
		return ""
	}
	if !a.insert(e.End(), ` == "OK"`) {
		return severalFiles
	}
	return ""
}

// tight reports whether a comparison in the place of an expression would need
// parentheses.
func (a *answer) tight(c inspector.Cursor) bool {
	switch p := c.Parent().Node().(type) {
	case *ast.BinaryExpr:
		return p.Op != token.LAND && p.Op != token.LOR
	case *ast.UnaryExpr, *ast.SelectorExpr, *ast.StarExpr:
		return true
	}
	return false
}

// nilFilter is the statement that makes a held lock no error.
func (a *answer) nilFilter(err string, indent string) (string, bool) {
	at := a.u.expr.Pos()
	is, ok := a.qualifier("errors", "Is", at)
	if !ok {
		return "", false
	}
	redis, ok := a.qualifier(a.lib, "Nil", at)
	if !ok {
		return "", false
	}
	return "if " + is + "Is(" + err + ", " + redis + "Nil) {\n" + indent + "\t" + err + " = nil // held by another\n" + indent + "}", true
}

// isNil is the condition that a lock is not held by another.
func (a *answer) notNil(err string) (string, bool) {
	at := a.u.expr.Pos()
	is, ok := a.qualifier("errors", "Is", at)
	if !ok {
		return "", false
	}
	redis, ok := a.qualifier(a.lib, "Nil", at)
	if !ok {
		return "", false
	}
	return "!" + is + "Is(" + err + ", " + redis + "Nil)", true
}

// err: err := x.Err(), as a statement or before the condition of an if.
func (a *answer) err(cur inspector.Cursor, as *ast.AssignStmt) string {
	if len(as.Lhs) != 1 {
		return otherUse
	}
	v := a.variable(as.Lhs[0])
	if v == nil {
		return otherUse
	}
	return a.errOnly(cur, as, v)
}

func (a *answer) errOnly(cur inspector.Cursor, as *ast.AssignStmt, v *types.Var) string {
	k, _ := cur.ParentEdge()
	if inList(k) {
		s := a.sourceAt(as.Pos())
		text, ok := a.nilFilter(v.Name(), s.indent(as.Pos()))
		if !ok || !a.insert(s.after(as), "\n"+s.indent(as.Pos())+text) {
			return otherUse
		}
		return ""
	}
	if k != edge.IfStmt_Init {
		return otherUse
	}
	// if err := x.Err(); err != nil { … }: nothing else reads err.
	is := cur.Parent().Node().(*ast.IfStmt)
	if !a.isErrNotNil(is.Cond, v) || as.Tok != token.DEFINE || a.info.Defs[as.Lhs[len(as.Lhs)-1].(*ast.Ident)] != v {
		return otherUse
	}
	if is.Else != nil && len(a.uses(is.Else, v)) > 0 {
		return otherUse
	}
	text, ok := a.notNil(v.Name())
	if !ok || !a.insert(is.Cond.End(), " && "+text) {
		return otherUse
	}
	return ""
}

func (a *answer) isErrNotNil(cond ast.Expr, v *types.Var) bool {
	b, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	return ok && b.Op == token.NEQ && a.variable(b.X) == v && a.info.Types[b.Y].IsNil()
}

// result: ok, err := x.Result().
func (a *answer) result(cur inspector.Cursor, as *ast.AssignStmt) string {
	if len(as.Lhs) != 2 {
		return otherUse
	}
	k, _ := cur.ParentEdge()
	okID, okIs := as.Lhs[0].(*ast.Ident)
	errID, errIs := as.Lhs[1].(*ast.Ident)
	if !okIs || !errIs {
		return otherUse
	}
	switch {
	case blank(okID): // only the error is looked at
		v := a.variable(errID)
		if v == nil || !a.replace(okID.Pos(), errID.Pos(), "") || !a.replace(a.u.sel.Pos(), a.u.sel.End(), "Err") {
			return otherUse
		}
		return a.errOnly(cur, as, v)
	case blank(errID): // ok, _ := x.Result()
		if !a.replace(okID.End(), errID.End(), "") || !a.replace(a.u.sel.Pos(), a.u.sel.End(), "Val") || !a.insert(a.u.expr.End(), ` == "OK"`) {
			return otherUse
		}
		return ""
	}
	okVar, errVar := a.variable(okID), a.variable(errID)
	if okVar == nil || errVar == nil {
		return otherUse
	}
	if k == edge.IfStmt_Init {
		return a.branched(cur.Parent().Node().(*ast.IfStmt), as, okVar, errVar)
	}
	if !inList(k) {
		return otherUse
	}
	s := a.sourceAt(as.Pos())
	if s == nil {
		return otherUse
	}
	indent := s.indent(as.Pos())
	status := a.fresh(function(a.cr.Effect), "status")
	if as.Tok == token.ASSIGN {
		if !a.insert(as.Pos(), "var "+status+" string\n"+indent) {
			return otherUse
		}
	}
	filter, ok := a.nilFilter(errID.Name, indent)
	if !ok {
		return otherUse
	}
	tok := " = "
	if as.Tok == token.DEFINE && a.info.Defs[okID] != nil {
		tok = " := "
	}
	if !a.replace(okID.Pos(), okID.End(), status) || !a.insert(s.after(as), "\n"+indent+filter+"\n"+indent+okID.Name+tok+status+` == "OK"`) {
		return otherUse
	}
	return ""
}

// branched: if ok, err := x.Result(); … — the status in the place of ok, as long as
// no branch that a held lock takes reads err.
func (a *answer) branched(is *ast.IfStmt, as *ast.AssignStmt, okVar, errVar *types.Var) string {
	okID, errID := as.Lhs[0].(*ast.Ident), as.Lhs[1].(*ast.Ident)
	if as.Tok != token.DEFINE || a.info.Defs[okID] != okVar || a.info.Defs[errID] != errVar {
		return otherUse
	}
	switch shape := a.shape(is.Cond, okVar, errVar); shape {
	case failed: // err != nil: a held lock goes to the else branch
		if is.Else == nil || len(a.uses(is.Else, errVar)) > 0 {
			return otherUse
		}
		text, ok := a.notNil(errID.Name)
		if !ok || !a.insert(is.Cond.End(), " && "+text) {
			return otherUse
		}
	case notHolder: // err != nil || !ok: a held lock goes in
		if len(a.uses(is.Body, errVar)) > 0 {
			return otherUse
		}
	case holder: // err == nil && ok: a held lock goes to the else branch
		if is.Else != nil && len(a.uses(is.Else, errVar)) > 0 {
			return otherUse
		}
	default:
		return otherUse
	}
	status := a.fresh(function(a.cr.Effect), "status")
	if !a.replace(okID.Pos(), okID.End(), status) {
		return otherUse
	}
	for _, id := range a.uses(is, okVar) {
		cur, ok := a.root.FindNode(id)
		if !ok {
			return otherUse
		}
		if k, _ := cur.ParentEdge(); k == edge.AssignStmt_Lhs || k == edge.UnaryExpr_X && cur.Parent().Node().(*ast.UnaryExpr).Op == token.AND {
			return otherUse
		}
		e := cur
		if un, ok := cur.Parent().Node().(*ast.UnaryExpr); ok && un.Op == token.NOT {
			e = cur.Parent()
			if a.tight(e) {
				return otherUse
			}
			if !a.replace(un.Pos(), un.End(), status+` != "OK"`) {
				return otherUse
			}
			continue
		}
		text := status + ` == "OK"`
		if a.tight(e) {
			text = "(" + text + ")"
		}
		if !a.replace(id.Pos(), id.End(), text) {
			return otherUse
		}
	}
	return ""
}

type shape uint8

const (
	noShape   shape = iota
	failed          // err != nil
	notHolder       // err != nil || !ok
	holder          // err == nil && ok
)

func (a *answer) shape(cond ast.Expr, okVar, errVar *types.Var) shape {
	cond = ast.Unparen(cond)
	if a.isErrNotNil(cond, errVar) {
		return failed
	}
	b, ok := cond.(*ast.BinaryExpr)
	if !ok {
		return noShape
	}
	is := func(e ast.Expr, op token.Token) bool { // err op nil
		x, ok := ast.Unparen(e).(*ast.BinaryExpr)
		return ok && x.Op == op && a.variable(x.X) == errVar && a.info.Types[x.Y].IsNil()
	}
	not := func(e ast.Expr) bool {
		x, ok := ast.Unparen(e).(*ast.UnaryExpr)
		return ok && x.Op == token.NOT && a.variable(x.X) == okVar
	}
	got := func(e ast.Expr) bool { return a.variable(e) == okVar }
	switch b.Op {
	case token.LOR:
		if is(b.X, token.NEQ) && not(b.Y) || not(b.X) && is(b.Y, token.NEQ) {
			return notHolder
		}
	case token.LAND:
		if is(b.X, token.EQL) && got(b.Y) || got(b.X) && is(b.Y, token.EQL) {
			return holder
		}
	}
	return noShape
}

// returned: return x.Result().
func (a *answer) returned(cur inspector.Cursor, ret *ast.ReturnStmt) string {
	if k, _ := cur.ParentEdge(); !inList(k) {
		return otherUse
	}
	s := a.sourceAt(ret.Pos())
	if s == nil {
		return otherUse
	}
	indent := s.indent(ret.Pos())
	fn := function(a.cr.Effect)
	status, err := a.fresh(fn, "status"), a.fresh(fn, "err")
	filter, ok := a.notNil(err)
	if !ok {
		return otherUse
	}
	filter = filter[1:]
	text := "\n" + indent + "if " + filter + " {\n" + indent + "\treturn false, nil // held by another\n" + indent + "}\n" +
		indent + "return " + status + ` == "OK", ` + err
	if !a.replace(ret.Pos(), ret.Results[0].Pos(), status+", "+err+" := ") || !a.insert(s.after(ret), text) {
		return otherUse
	}
	return ""
}

// kept: cmd := x, asked for its answer only.
func (a *answer) kept(cur inspector.Cursor, as *ast.AssignStmt) string {
	if k, _ := cur.ParentEdge(); !inList(k) || len(as.Lhs) != 1 {
		return otherUse
	}
	v := a.variable(as.Lhs[0])
	if v == nil || v.IsField() || v.Parent() == v.Pkg().Scope() {
		return otherUse
	}
	fn := function(a.cr.Effect)
	for _, id := range a.uses(fn, v) {
		c, ok := a.root.FindNode(id)
		if !ok {
			return otherUse
		}
		if k, _ := c.ParentEdge(); k == edge.AssignStmt_Lhs {
			if c.Parent().Node() == ast.Node(as) {
				continue
			}
			return otherUse
		}
		sel, ok := c.Parent().Node().(*ast.SelectorExpr)
		if !ok || sel.Sel.Name != "Val" && sel.Sel.Name != "Err" && sel.Sel.Name != "Result" {
			return otherUse
		}
		if k, _ := c.Parent().ParentEdge(); k != edge.CallExpr_Fun {
			return otherUse
		}
	}
	s := a.sourceAt(as.Pos())
	if s == nil {
		return otherUse
	}
	indent := s.indent(as.Pos())
	status, err := a.fresh(fn, "status"), a.fresh(fn, "err")
	filter, ok := a.nilFilter(err, indent)
	if !ok {
		return otherUse
	}
	q, ok := a.qualifier(a.lib, "NewBoolResult", as.Pos())
	if !ok {
		return otherUse
	}
	text := "\n" + indent + filter + "\n" + indent + as.Lhs[0].(*ast.Ident).Name + " " + as.Tok.String() + " " + q + "NewBoolResult(" + status + ` == "OK", ` + err + ")"
	if !a.replace(as.Lhs[0].Pos(), as.Rhs[0].Pos(), status+", "+err+" := ") || !a.insert(a.u.expr.End(), ".Result()") || !a.insert(s.after(as), text) {
		return otherUse
	}
	return ""
}

// uses is the planner's, for short.
func (a *answer) uses(in ast.Node, v types.Object) []*ast.Ident { return a.draft.planner.uses(in, v) }
