package rewrite

import (
	"go/ast"
	"go/token"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ast/edge"

	"github.com/locklint/locklint/internal/locks"
)

// badArgs turns SETNX with options into a command that the server takes: SET with
// the same options where only the error is looked at, SetNX elsewhere.
func (d *draft) badArgs(e *locks.Effect) {
	why := d.try(func() string { return d.setWithOptions(e) })
	if why != "" {
		d.no(e, BadArgs, why)
		return
	}
	d.yes(e, BadArgs)
	d.notes = append(d.notes, "send a command that takes an expiry")
}

func (d *draft) setWithOptions(e *locks.Effect) string {
	cmd := e.Cmd
	if why := d.untouchable(e.Pos()); why != "" {
		return "it is in " + why
	}
	if cmd == nil || d.file(e.Pos()) == nil {
		return "its words are not known"
	}
	i := 0
	if cmd.Lib.Context {
		i = 1
	}
	if len(e.Call.Args) <= i || e.Call.Ellipsis.IsValid() || len(cmd.Extra) == 0 {
		return "its words are not known"
	}
	verb := e.Call.Args[i]
	nx, unit := false, ""
	var n ast.Expr
	for k := 0; k < len(cmd.Extra); k++ {
		w, ok := d.word(cmd.Extra[k])
		if !ok {
			return "its words are not constant"
		}
		switch w {
		case "NX":
			nx = true
		case "EX", "PX":
			if k++; k >= len(cmd.Extra) || n != nil {
				return "its words are not known"
			}
			unit, n = w, cmd.Extra[k]
		default:
			return "it has the option " + w
		}
	}
	if n == nil {
		return "it names no expiry"
	}
	if isDuration(d.info.TypeOf(n)) || !isInteger(d.info.TypeOf(n)) {
		return "its expiry is no number of seconds"
	}
	if d.errorOnly(e) {
		if _, ok := d.word(verb); !ok {
			return "its words are not constant"
		}
		if _, lit := ast.Unparen(verb).(*ast.BasicLit); !lit {
			return "the name of the command is not written in the call"
		}
		if !d.replace(verb.Pos(), verb.End(), `"SET"`) {
			return severalFiles
		}
		if !nx && !d.insert(cmd.Extra[0].Pos(), `"NX", `) {
			return severalFiles
		}
		return ""
	}
	q, ok := d.qualifier("time", "Second", e.Pos())
	if !ok {
		return "package time cannot be imported"
	}
	s := d.sourceAt(n.Pos())
	if s == nil {
		return severalFiles
	}
	ttl := q + map[string]string{"EX": "Second", "PX": "Millisecond"}[unit]
	if _, lit := ast.Unparen(n).(*ast.BasicLit); lit {
		ttl = s.text(n) + "*" + ttl
	} else {
		ttl = q + "Duration(" + s.text(n) + ")*" + ttl
	}
	return d.typed(e, ttl)
}

// word evaluates a word of a command.
func (d *draft) word(e ast.Expr) (string, bool) {
	tv := d.info.Types[e]
	if tv.Value == nil {
		return "", false
	}
	w, err := strconv.Unquote(tv.Value.ExactString())
	return strings.ToUpper(w), err == nil
}

// errorOnly reports whether nothing but the error of a command is looked at: a held
// lock is an error of SET NX, redis.Nil, and no error of SetNX.
func (d *draft) errorOnly(e *locks.Effect) bool {
	u, ok := d.useOf(e.Call)
	if !ok {
		return false
	}
	parent := u.cur.Parent()
	switch u.method {
	case "Err":
		return true
	case "Result":
		as, ok := parent.Node().(*ast.AssignStmt)
		return ok && len(as.Lhs) == 2 && blank(as.Lhs[0])
	case "":
		k, _ := u.cur.ParentEdge()
		if k == edge.ExprStmt_X {
			return true
		}
		as, ok := parent.Node().(*ast.AssignStmt)
		return ok && len(as.Lhs) == 1 && blank(as.Lhs[0]) && as.Tok == token.ASSIGN
	}
	return false
}
