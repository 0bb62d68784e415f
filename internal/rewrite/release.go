package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
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
	expireScript   = "`if redis.call(\"get\", KEYS[1]) == ARGV[1] then return redis.call(\"pexpire\", KEYS[1], ARGV[2]) end return 0`"
	expireAtScript = "`if redis.call(\"get\", KEYS[1]) == ARGV[1] then return redis.call(\"pexpireat\", KEYS[1], ARGV[2]) end return 0`"
	secondsScript  = "`if redis.call(\"get\", KEYS[1]) == ARGV[1] then return redis.call(\"expire\", KEYS[1], ARGV[2]) end return 0`"
)

const freeUse = "the answer of the release is used in a way that a script cannot keep"

// free turns a command that deletes the key into a compare-and-delete.
func (d *draft) free(m *locks.Member, tok string) string {
	cmd := m.Cmd
	switch {
	case cmd == nil:
		return "it is done in a helper: pass the token to " + m.Lit
	case m.Script:
		return d.scripted(m, tok)
	case cmd.Spread:
		return "the keys are a slice"
	case cmd.Verb != rediscmd.Del && cmd.Verb != rediscmd.Expire:
		return "the key is freed by " + cmd.Name
	case m.Queue != locks.NoQueue && d.answersUsed(m.Effect):
		return "the answers of the pipeline are looked at"
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
		return "it is done in a helper: pass the token to " + m.Lit
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
		return freeUse
	}
	if obj, _, _ := types.LookupFieldOrMethod(eval.Signature().Results().At(0).Type(), true, d.pass.Pkg, answer); obj == nil && (u.method == "Result" || u.method == "Val") {
		return freeUse
	}
	parent := u.cur.Parent()
	switch parent.Node().(type) {
	case *ast.ExprStmt, *ast.GoStmt, *ast.DeferStmt:
		return ""
	}
	as, assigned := parent.Node().(*ast.AssignStmt)
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
	return freeUse
}

// branchedVal: if x.Val() == 1 { … } asks in the statement of the if.
func (d *draft) branchedVal(m *locks.Member, u use, answer string) string {
	var is *ast.IfStmt
	first := true
	for c := range u.cur.Enclosing() {
		k, _ := c.ParentEdge()
		if k == edge.BinaryExpr_Y {
			if op := c.Parent().Node().(*ast.BinaryExpr).Op; op == token.LAND || op == token.LOR {
				first = false
			}
		}
		if k == edge.IfStmt_Cond {
			is = c.Parent().Node().(*ast.IfStmt)
			if pk, _ := c.Parent().ParentEdge(); !inList(pk) {
				return freeUse
			}
			break
		}
		if _, stmt := c.Node().(ast.Stmt); stmt {
			break
		}
		if _, lit := c.Node().(*ast.FuncLit); lit {
			break
		}
	}
	if is == nil || is.Init != nil || !first {
		return freeUse
	}
	s := d.sourceAt(is.Pos())
	if s == nil {
		return severalFiles
	}
	name := d.fresh(function(m.Effect), "freed")
	if answer == "Bool" {
		name = d.fresh(function(m.Effect), "renewed")
	}
	// The call moves: its other edits would be lost, so it is replaced by name and
	// put before with an edit that ends where it begins.
	if !d.insert(is.Cond.Pos(), name+", _ := ") {
		return severalFiles
	}
	if is.Cond.Pos() != u.expr.Pos() {
		return freeUse // something stands before it in the condition
	}
	if !d.replace(u.sel.Pos(), u.expr.End(), answer+"(); "+name) {
		return severalFiles
	}
	return ""
}

// keptFree: cmd := rdb.Del(…) is asked for its answer only.
func (d *draft) keptFree(m *locks.Member, as *ast.AssignStmt, answer string) string {
	v := d.variable(as.Lhs[0])
	id, isID := as.Lhs[0].(*ast.Ident)
	if v == nil || !isID || as.Tok != token.DEFINE || d.info.Defs[id] != v {
		return freeUse
	}
	for _, id := range d.uses(function(m.Effect), v) {
		c, ok := d.root.FindNode(id)
		if !ok {
			return freeUse
		}
		if k, _ := c.ParentEdge(); k != edge.SelectorExpr_X {
			return freeUse
		}
		sel := c.Parent().Node().(*ast.SelectorExpr)
		if k, _ := c.Parent().ParentEdge(); k != edge.CallExpr_Fun {
			return freeUse
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
				return freeUse
			}
			if !d.insert(outer.Lhs[0].End(), ", _") || !d.replace(sel.Sel.Pos(), sel.Sel.End(), answer) {
				return severalFiles
			}
		default:
			return freeUse
		}
	}
	return ""
}
