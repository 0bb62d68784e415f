package rewrite

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"time"

	"golang.org/x/tools/go/ast/edge"

	"github.com/locklint/locklint/internal/locks"
	"github.com/locklint/locklint/internal/rediscmd"
)

// The scripts that compare and act in one step. They stand in the call itself: a
// declaration beside it would have to be shared by the plans of a package, which are
// applied one by one.
const (
	deleteScript   = "`if redis.call(\"get\", KEYS[1]) == ARGV[1] then return redis.call(\"del\", KEYS[1]) end return 0`"
	getDelScript   = "`local v = redis.call(\"get\", KEYS[1]) if v == ARGV[1] then redis.call(\"del\", KEYS[1]) end return v`"
	expireScript   = "`if redis.call(\"get\", KEYS[1]) == ARGV[1] then return redis.call(\"pexpire\", KEYS[1], ARGV[2]) end return 0`"
	expireAtScript = "`if redis.call(\"get\", KEYS[1]) == ARGV[1] then return redis.call(\"pexpireat\", KEYS[1], ARGV[2]) end return 0`"
	secondsScript  = "`if redis.call(\"get\", KEYS[1]) == ARGV[1] then return redis.call(\"expire\", KEYS[1], ARGV[2]) end return 0`"
)

// otherAnswer says that the use of an answer has no form with a script.
func otherAnswer(m *locks.Member) string {
	of := "release"
	if m.Kind == locks.Expire {
		of = "renewal"
	}
	return "the answer of the " + of + " is used in a way that a script cannot keep"
}

// dispatched reports whether a call is of an interface method.
func (d *draft) dispatched(call *ast.CallExpr) bool {
	sel := selector(call)
	if sel == nil {
		return false
	}
	s := d.info.Selections[sel]
	return s != nil && types.IsInterface(s.Recv())
}

// inHelper says that a function which is called frees or renews the lock.
func (d *draft) inHelper(m *locks.Member) string {
	of := "frees"
	if m.Kind == locks.Expire {
		of = "renews"
	}
	if d.dispatched(m.Call) {
		return "the interface method " + selector(m.Call).Sel.Name + " " + of + " it without a token: call one that takes the token and compares it"
	}
	return "it is done in a helper: pass the token to " + m.Lit
}

// free turns a command that deletes the key into a compare-and-delete.
func (d *draft) free(m *locks.Member, tok string) string {
	cmd := m.Cmd
	switch {
	case cmd == nil:
		return d.inHelper(m)
	case m.Script:
		return d.scripted(m, tok)
	case cmd.Spread:
		return d.spread(m, tok)
	case cmd.Verb == rediscmd.DelEx:
		return d.ifEqual(m, tok)
	case cmd.Verb != rediscmd.Del && cmd.Verb != rediscmd.Expire && cmd.Verb != rediscmd.GetDel:
		return "the key is freed by " + cmd.Name
	case m.Queue != locks.NoQueue && d.answersUsed(m.Effect):
		return "the answers of the pipeline are looked at"
	}
	if cmd.Verb == rediscmd.GetDel {
		script := getDelScript
		switch {
		case d.unasked(m) && m.Queue == locks.NoQueue:
			script = deleteScript
		case d.changes():
			return "the value that it answers is another after the fix"
		}
		if !cmd.Method {
			return d.rawScript(m, script, tok)
		}
		return d.script(m, script, tok, "Text", nil)
	}
	if cmd.Verb == rediscmd.Expire { // an expiry of zero
		if !cmd.Method || cmd.TTL.Expr == nil {
			return "the key is freed by " + cmd.Name
		}
		return d.script(m, deleteScript, tok, "Bool", func(arg ast.Expr) bool {
			return d.replace(cmd.Keys[0].End(), arg.End(), "}, "+tok)
		})
	}
	if len(cmd.Keys) > 1 {
		return d.oneOf(m, tok)
	}
	if !cmd.Method {
		return d.rawScript(m, deleteScript, tok)
	}
	return d.script(m, deleteScript, tok, "Int64", nil)
}

// renew turns a command that sets the expiry into a compare-and-expire.
func (d *draft) renew(m *locks.Member, tok string) string {
	cmd := m.Cmd
	switch {
	case cmd == nil:
		return d.inHelper(m)
	case m.Script:
		return d.scripted(m, tok)
	case cmd.Verb != rediscmd.Expire || m.OnlyIf != "" || cmd.TTL.Expr == nil:
		return "the lock is renewed by " + cmd.Name
	case m.Queue != locks.NoQueue && d.answersUsed(m.Effect):
		return "the answers of the pipeline are looked at"
	}
	if !cmd.Method {
		script := secondsScript
		if cmd.Millis {
			script = expireScript
		}
		if cmd.TTL.At || isDuration(d.info.TypeOf(cmd.TTL.Expr)) {
			return "the lock is renewed by " + cmd.Name
		}
		return d.rawScript(m, script, tok)
	}
	if cmd.TTL.Kind == rediscmd.TTLConst && !cmd.TTL.At && cmd.TTL.Dur < time.Second {
		return "an expiry below one second is rounded up by EXPIRE"
	}
	script, unit := expireScript, "Milliseconds()"
	if cmd.TTL.At {
		script, unit = expireAtScript, "UnixMilli()"
	}
	return d.script(m, script, tok, "Bool", func(arg ast.Expr) bool {
		s := d.sourceAt(arg.Pos())
		if s == nil || !d.insert(cmd.Keys[0].End(), "}, "+tok) {
			return false
		}
		if text := s.text(arg); paren(text) != text {
			return d.insert(arg.Pos(), "(") && d.insert(arg.End(), ")."+unit)
		}
		return d.insert(arg.End(), "."+unit)
	})
}

// unasked reports whether nobody looks at what a command answers.
func (d *draft) unasked(m *locks.Member) bool {
	u, ok := d.useOf(m.Call)
	if !ok {
		return false
	}
	switch p := u.cur.Parent().Node().(type) {
	case *ast.ExprStmt, *ast.DeferStmt, *ast.GoStmt:
		return true
	case *ast.AssignStmt:
		return len(p.Lhs) == 1 && blank(p.Lhs[0])
	}
	return false
}

// changes reports whether the plan stores another value than the code did.
func (d *draft) changes() bool {
	return slices.ContainsFunc(d.lock.Creates, func(cr *locks.Member) bool {
		return d.weak(cr) || d.sharedValue(cr) || cr.Value.Kind == locks.ValueFresh
	})
}

// ifEqual gives DELEX the condition that makes it a release: the key holds the token.
func (d *draft) ifEqual(m *locks.Member, tok string) string {
	by := "the key is freed by " + m.Cmd.Name
	args := m.Call.Args
	if !m.Cmd.Method || m.Queue != locks.NoQueue || len(args) == 0 {
		return by
	}
	lit, ok := ast.Unparen(args[len(args)-1]).(*ast.CompositeLit)
	if !ok || lit.Type == nil {
		return by
	}
	for _, el := range lit.Elts {
		kv, ok := el.(*ast.KeyValueExpr)
		if !ok || !d.pure(kv.Value) {
			return by
		}
		if id, ok := kv.Key.(*ast.Ident); ok && id.Name == "Mode" {
			if v := d.info.Types[kv.Value].Value; v == nil || v.Kind() != constant.String || !strings.EqualFold(constant.StringVal(v), "IFNE") && constant.StringVal(v) != "" {
				return by
			}
		}
	}
	if !d.replace(lit.Lbrace+1, lit.Rbrace, `Mode: "IFEQ", MatchValue: `+tok) {
		return severalFiles
	}
	return ""
}

// script makes a typed command on one key the run of a script. answer is the method
// that gives the answer as the command did; more rewrites what follows the key.
func (d *draft) script(m *locks.Member, script, tok, answer string, more func(arg ast.Expr) bool) string {
	cmd := m.Cmd
	sel := selector(m.Call)
	eval := d.hasMethod(cmd.Client, "Eval")
	if sel == nil || eval == nil || !d.evaluates(eval, cmd) {
		return "its client has no Eval"
	}
	if why := d.asked(m, answer, eval); why != "" {
		return why
	}
	key := cmd.Keys[0]
	if name, ok := d.runtime(m, script); ok {
		return d.byRuntime(m, name, tok)
	}
	if !d.replace(sel.Sel.Pos(), sel.Sel.End(), "Eval") || !d.insert(key.Pos(), script+", []string{") {
		return severalFiles
	}
	if more != nil {
		if !more(cmd.TTL.Expr) {
			return severalFiles
		}
		return ""
	}
	if !d.insert(key.End(), "}, "+tok) {
		return severalFiles
	}
	return ""
}

// evaluates reports whether a method is Eval of a client: script, keys, arguments.
func (d *draft) evaluates(eval *types.Func, cmd *rediscmd.Command) bool {
	sig := eval.Signature()
	n := 3
	if cmd.Lib.Context {
		n = 4
	}
	return sig.Variadic() && sig.Params().Len() == n && sig.Results().Len() == 1
}

// runtime returns the function of this module's runtime that does what a script
// does, where the package uses the runtime already.
func (d *draft) runtime(m *locks.Member, script string) (string, bool) {
	name := map[string]string{deleteScript: "CompareAndDelete", expireScript: "CompareAndExpire"}[script]
	if name == "" || m.Cmd.Lib.Path != "github.com/redis/go-redis/v9" || m.Cmd.Verb == rediscmd.Expire && m.Kind == locks.Free || !d.imported(runtimePath) || d.pass.Pkg.Path() == runtimePath {
		return "", false
	}
	return name, true
}

func (d *draft) byRuntime(m *locks.Member, name, tok string) string {
	cmd := m.Cmd
	s := d.sourceAt(m.Pos())
	q, ok := d.qualifier(runtimePath, name, m.Pos())
	if s == nil || !ok {
		return severalFiles
	}
	client := s.text(cmd.Client)
	ok = d.replace(m.Call.Pos(), m.Call.Lparen, q+name) && d.insert(cmd.Keys[0].Pos(), client+", ") && d.insert(cmd.Keys[0].End(), ", "+tok)
	if !ok {
		return severalFiles
	}
	return ""
}

// rawScript makes Do(ctx, "DEL", key) the run of a script: both answer with a Cmd.
func (d *draft) rawScript(m *locks.Member, script, tok string) string {
	cmd := m.Cmd
	sel := selector(m.Call)
	if sel == nil || sel.Sel.Name != "Do" || d.hasMethod(cmd.Client, "Eval") == nil {
		return "the key is freed by " + cmd.Name
	}
	i := 0
	if cmd.Lib.Context {
		i = 1
	}
	key := cmd.Keys[0]
	if len(m.Call.Args) <= i+1 || m.Call.Args[i+1] != key {
		return "the key is freed by " + cmd.Name
	}
	ok := d.replace(sel.Sel.Pos(), sel.Sel.End(), "Eval") &&
		d.replace(m.Call.Args[i].Pos(), key.Pos(), script+", []string{") && d.insert(key.End(), "}, "+tok)
	if !ok {
		return severalFiles
	}
	return ""
}

// asked rewrites the uses of what DEL or EXPIRE answered to what a script answers:
// an integer. answer is the method of Cmd that gives it in the old form.
func (d *draft) asked(m *locks.Member, answer string, eval *types.Func) string {
	u, ok := d.useOf(m.Call)
	if !ok {
		return otherAnswer(m)
	}
	if obj, _, _ := types.LookupFieldOrMethod(eval.Signature().Results().At(0).Type(), true, d.pass.Pkg, answer); obj == nil && (u.method == "Result" || u.method == "Val") {
		return otherAnswer(m)
	}
	parent := u.cur.Parent()
	switch parent.Node().(type) {
	case *ast.ExprStmt, *ast.GoStmt, *ast.DeferStmt:
		return ""
	}
	as, assigned := parent.Node().(*ast.AssignStmt)
	if ret, ok := parent.Node().(*ast.ReturnStmt); ok && u.method == "" && len(ret.Results) == 1 {
		return d.returnedCmd(m, answer)
	}
	switch u.method {
	case "Err":
		return ""
	case "Result":
		if !d.replace(u.sel.Pos(), u.sel.End(), answer) {
			return severalFiles
		}
		return ""
	case "Val":
		if assigned && len(as.Lhs) == 1 && len(as.Rhs) == 1 {
			if blank(as.Lhs[0]) {
				return ""
			}
			if !d.insert(as.Lhs[0].End(), ", _") || !d.replace(u.sel.Pos(), u.sel.End(), answer) {
				return severalFiles
			}
			return ""
		}
		return d.branchedVal(m, u, answer)
	case "":
		if assigned && len(as.Lhs) == 1 && len(as.Rhs) == 1 {
			if blank(as.Lhs[0]) {
				return ""
			}
			return d.keptFree(m, as, answer)
		}
	}
	return otherAnswer(m)
}

// returnedCmd: return rdb.Del(…) — a command of the type that the function returns. Who
// asks it for its words gets none, so the plan is a suggestion.
func (d *draft) returnedCmd(m *locks.Member, answer string) string {
	lib := libraryOf(d.info, m.Call)
	made := map[string]string{"Int64": "NewIntResult", "Bool": "NewBoolResult"}[answer]
	if m.Queue != locks.NoQueue || lib == nil || made == "" || !isLibrary(lib.Path()) {
		return otherAnswer(m)
	}
	n, ok := types.Unalias(d.info.TypeOf(m.Call)).(*types.Pointer)
	if !ok || named(n.Elem()) == nil || named(n.Elem()).Name() != map[string]string{"Int64": "IntCmd", "Bool": "BoolCmd"}[answer] {
		return otherAnswer(m)
	}
	q, ok := d.qualifier(lib.Path(), made, m.Pos())
	if !ok || !d.insert(m.Call.Pos(), q+made+"(") || !d.insert(m.Call.End(), "."+answer+"())") {
		return otherAnswer(m)
	}
	d.suggested = true
	return ""
}

// branchedVal: if x.Val() == 1 { … } asks in the statement of the if; return x.Val() == 1
// and ok := x.Val() == 1 ask in a statement before.
func (d *draft) branchedVal(m *locks.Member, u use, answer string) string {
	var at ast.Stmt
	var start token.Pos
	first := true
up:
	for c := range u.cur.Enclosing() {
		k, i := c.ParentEdge()
		switch k {
		case edge.BinaryExpr_Y:
			if op := c.Parent().Node().(*ast.BinaryExpr).Op; op == token.LAND || op == token.LOR {
				first = false
			}
		case edge.FuncLit_Body:
			break up
		case edge.IfStmt_Cond, edge.ReturnStmt_Results, edge.AssignStmt_Rhs:
			if pk, _ := c.Parent().ParentEdge(); !inList(pk) || i > 0 {
				break up
			}
			at, start = c.Parent().Node().(ast.Stmt), c.Node().Pos()
			break up
		}
	}
	is, branch := at.(*ast.IfStmt)
	if at == nil || branch && is.Init != nil || !first || start != u.expr.Pos() {
		return otherAnswer(m) // something stands before it
	}
	if as, ok := at.(*ast.AssignStmt); ok && (len(as.Lhs) != 1 || !isIdent(as.Lhs[0])) {
		return otherAnswer(m)
	}
	s := d.sourceAt(at.Pos())
	if s == nil {
		return severalFiles
	}
	name := d.fresh(function(m.Effect), map[string]string{"Int64": "freed", "Bool": "renewed", "Text": "holder"}[answer])
	if branch {
		if !d.insert(start, name+", _ := ") || !d.replace(u.sel.Pos(), u.expr.End(), answer+"(); "+name) {
			return severalFiles
		}
		return ""
	}
	// The call moves to a statement before, with all edits in it.
	head := s.slice(at.Pos(), start)
	if !d.replace(at.Pos(), start, name+", _ := ") || !d.replace(u.sel.Pos(), u.expr.End(), answer+"()\n"+s.indent(at.Pos())+head+name) {
		return severalFiles
	}
	return ""
}

func isIdent(e ast.Expr) bool {
	_, ok := e.(*ast.Ident)
	return ok
}

// keptFree: cmd := rdb.Del(…) is asked for its answer only.
func (d *draft) keptFree(m *locks.Member, as *ast.AssignStmt, answer string) string {
	v := d.variable(as.Lhs[0])
	id, isID := as.Lhs[0].(*ast.Ident)
	if v == nil || !isID || as.Tok != token.DEFINE || d.info.Defs[id] != v {
		return otherAnswer(m)
	}
	for _, id := range d.uses(function(m.Effect), v) {
		c, ok := d.root.FindNode(id)
		if !ok {
			return otherAnswer(m)
		}
		if k, _ := c.ParentEdge(); k != edge.SelectorExpr_X {
			return otherAnswer(m)
		}
		sel := c.Parent().Node().(*ast.SelectorExpr)
		if k, _ := c.Parent().ParentEdge(); k != edge.CallExpr_Fun {
			return otherAnswer(m)
		}
		switch sel.Sel.Name {
		case "Err":
		case "Result":
			if !d.replace(sel.Sel.Pos(), sel.Sel.End(), answer) {
				return severalFiles
			}
		case "Val":
			call := c.Parent().Parent()
			outer, ok := call.Parent().Node().(*ast.AssignStmt)
			if !ok || len(outer.Lhs) != 1 || len(outer.Rhs) != 1 {
				return otherAnswer(m)
			}
			if !d.insert(outer.Lhs[0].End(), ", _") || !d.replace(sel.Sel.Pos(), sel.Sel.End(), answer) {
				return severalFiles
			}
		default:
			return otherAnswer(m)
		}
	}
	return ""
}
