package rewrite

import (
	"strconv"

	"github.com/locklint/locklint/internal/locks"
	"github.com/locklint/locklint/internal/lua"
)

const inScript = "the script has to compare: give it the token"

// scripted makes a script that does nothing but delete or expire its key one that
// compares the token first. Both answer with a Cmd, so its uses stay.
func (d *draft) scripted(m *locks.Member, tok string) string {
	cmd := m.Cmd
	text, ok := d.res.ScriptText(cmd)
	if !ok || cmd.KeyList == nil || len(cmd.Keys) != 1 || cmd.Spread || !cmd.ArgsAll || m.Call.Ellipsis.IsValid() {
		return inScript
	}
	one, ok := lua.OneCommand(text)
	if !ok || len(one.Args) == 0 || one.Args[0] != (lua.Ref{Kind: lua.Keys, Index: 1}) || !d.answers1(m, one.Answer) {
		return inScript
	}
	if m.Queue != locks.NoQueue && d.answersUsed(m.Effect) {
		return "the answers of the pipeline are looked at"
	}
	script, more := "", ""
	switch {
	case (one.Name == "del" || one.Name == "unlink") && len(one.Args) == 1 && m.Kind == locks.Free:
		script = deleteScript
	case one.Name == "expire" && len(one.Args) == 2 && m.Kind == locks.Expire:
		script = secondsScript
	case one.Name == "pexpire" && len(one.Args) == 2 && m.Kind == locks.Expire:
		script = expireScript
	default:
		return inScript
	}
	s := d.sourceAt(m.Pos())
	if s == nil {
		return severalFiles
	}
	if len(one.Args) == 2 {
		switch a := one.Args[1]; {
		case a.Kind == lua.Argv && a.Index <= len(cmd.Args) && d.inside(cmd.Args[a.Index-1], m.Call):
			more = ", " + s.text(cmd.Args[a.Index-1])
		case a.Kind == lua.Const && isNumber(a.Text):
			more = ", " + a.Text
		default:
			return inScript
		}
	}
	// What it was given besides is not read, and goes if it does nothing.
	for _, a := range m.Call.Args {
		if a.Pos() >= cmd.KeyList.End() && !d.pure(a) && more != ", "+s.text(a) {
			return inScript
		}
	}
	sel := selector(m.Call)
	if sel == nil || d.hasMethod(cmd.Client, "Eval") == nil || !d.inside(cmd.KeyList, m.Call) {
		return inScript
	}
	if !d.replace(cmd.KeyList.End(), m.Call.Rparen, ", "+tok+more) {
		return severalFiles
	}
	switch first := m.Call.Args[0]; {
	case d.inside(cmd.Client, sel.X) && (cmd.Name == "Eval" || cmd.Name == "EvalSha") && cmd.Text != nil:
		// rdb.Eval(ctx, text, keys): the argument before the keys.
		arg := first
		if cmd.Lib.Context {
			arg = m.Call.Args[1]
		}
		if arg.End() > cmd.KeyList.Pos() || !d.replace(sel.Sel.Pos(), sel.Sel.End(), "Eval") || !d.replace(arg.Pos(), arg.End(), script) {
			return inScript
		}
	case cmd.Name == "Run" || cmd.Name == "Eval" || cmd.Name == "EvalSha":
		// script.Run(ctx, rdb, keys)
		client := s.text(cmd.Client)
		if paren(client) != client || !d.inside(cmd.Client, m.Call) {
			client = "(" + client + ")"
		}
		ctx := ""
		if cmd.Lib.Context {
			ctx = s.text(first) + ", "
		}
		if !d.replace(m.Call.Pos(), cmd.KeyList.Pos(), client+".Eval("+ctx+script+", ") {
			return severalFiles
		}
		if v := d.variable(sel.X); v != nil {
			d.retire(function(m.Effect), v)
		}
	default:
		return inScript
	}
	return ""
}

func isNumber(text string) bool {
	_, err := strconv.ParseInt(text, 10, 64)
	return err == nil
}

// answers1 reports whether the uses of what a script answers stay right with one that
// answers 1, or 0 where the lock is another's.
func (d *draft) answers1(m *locks.Member, a lua.Answer) bool {
	if a == lua.AnswerCommand {
		return true
	}
	if d.unasked(m) {
		return true
	}
	u, ok := d.useOf(m.Call)
	return ok && u.method == "Err" && a == lua.AnswerNumber
}
