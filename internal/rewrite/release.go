package rewrite

import (
	"go/ast"
	"go/constant"
	"go/types"
	"slices"
	"strings"
	"time"

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
