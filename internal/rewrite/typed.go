package rewrite

import (
	"golang.org/x/tools/go/ast/edge"

	"github.com/locklint/locklint/internal/locks"
	"github.com/locklint/locklint/internal/rediscmd"
)

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
