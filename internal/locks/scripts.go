package locks

import (
	"go/ast"
	"go/constant"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/locklint/locklint/internal/keyexpr"
	"github.com/locklint/locklint/internal/lua"
	"github.com/locklint/locklint/internal/rediscmd"
)

// scriptCache holds the scripts of a package by their text.
type scriptCache map[string]*lua.Script

// scriptEffects turns the run of a script into the effects it has on its keys. A
// text that is not known at compile time, or not understood, has none.
func (c *collector) scriptEffects(f *Func, body ast.Node, cmd *rediscmd.Command) []*Effect {
	text, ok := c.text(cmd.Text, 0)
	if !ok {
		c.unseen = append(c.unseen, unseen{cmd.Call, "the script of " + cmd.Name + " is not known at compile time: what it does is not seen"})
		return nil
	}
	script := c.script(text)
	if script == nil {
		c.unseen = append(c.unseen, unseen{cmd.Call, "the script of " + cmd.Name + " is not understood: what it does is not seen"})
		return nil
	}
	var out []*Effect
	for i := range script.Effects {
		le := &script.Effects[i]
		if le.Kind == lua.Expire && swaps(script, le.Key) {
			continue // the expiry of the new value of a compare and swap
		}
		e := &Effect{Fn: f, Body: body, Call: cmd.Call, Cmd: cmd, Lit: "script", Script: true}
		e.Root = e
		e.Value.Param, e.TTL.Param = keyexpr.NoParam, keyexpr.NoParam
		switch le.Key.Kind {
		case lua.Keys:
			n := le.Key.Index - 1
			switch {
			case n >= 0 && n < len(cmd.Keys) && !(cmd.Spread && n == len(cmd.Keys)-1):
				e.KeyExpr, e.KeyArg = cmd.Keys[n], n
			case cmd.Spread && len(cmd.Keys) == 1:
				e.KeyExpr = cmd.Keys[0] // the slice itself
				e.Key = c.spreadKey(cmd, n, f)
			default:
				continue
			}
			if e.KeyExpr != nil && !e.Key.Known() {
				e.Key = c.fold.Fold(e.KeyExpr, f.Scope)
			}
		case lua.Argv:
			a := argv(cmd, le.Key.Index)
			if a == nil {
				continue
			}
			e.KeyExpr, e.Key = a, c.fold.Fold(a, f.Scope)
		case lua.Const:
			e.Key = keyexpr.Lit(le.Key.Text)
		default:
			continue
		}
		c.queue(e)
		if !e.Key.Known() || !c.scriptKind(e, le, cmd) {
			continue
		}
		if e.Kind == Create && !script.Complete {
			e.TTL.Kind = rediscmd.TTLUnknown // what is not understood may set one
		}
		out = append(out, e)
	}
	return out
}

// swaps reports whether a script stores a new value where it has compared the old
// one: a compare and swap of data.
func swaps(s *lua.Script, key lua.Ref) bool {
	return slices.ContainsFunc(s.Effects, func(e lua.Effect) bool {
		return e.Kind == lua.Set && e.Checked && e.Key == key && !renews(&e)
	})
}

// renews reports whether a checked SET stores the value it compared with.
func renews(e *lua.Effect) bool {
	return e.Value.Kind != lua.Unknown && e.Value == e.Against
}

// spreadKey is the key at index n of a slice that is not seen through.
func (c *collector) spreadKey(cmd *rediscmd.Command, n int, f *Func) keyexpr.Key {
	if elems, ok := c.defs.Elems(cmd.Keys[0]); ok && n >= 0 && n < len(elems) {
		return c.fold.Fold(elems[n], f.Scope)
	}
	return keyexpr.Key{}
}

// argv returns the n-th argument of a script call.
func argv(cmd *rediscmd.Command, n int) ast.Expr {
	if n < 1 || n > len(cmd.Args) || !cmd.ArgsAll && n == len(cmd.Args) {
		return nil
	}
	return cmd.Args[n-1]
}

func (c *collector) scriptKind(e *Effect, le *lua.Effect, cmd *rediscmd.Command) bool {
	if le.Unclear && (le.Kind != lua.Create || le.Created.ByCheck) {
		return false // NX speaks for itself, whatever is asked before
	}
	switch le.Kind {
	case lua.Create:
		e.Kind = Create
		e.Lit = "acquire script"
		e.NoReply = false
		e.Value = c.ref(le.Created.Value, cmd, e.Fn)
		switch le.Created.TTL.Kind {
		case lua.TTLNone:
			e.TTL.Kind = rediscmd.TTLNone
		default:
			e.TTL.Kind = rediscmd.TTLUnknown
		}
	case lua.Expire:
		e.Kind = Expire
		e.Lit = "renew script"
		e.TTL.Kind = rediscmd.TTLUnknown
		if le.Checked {
			e.Kind = CheckedRenew
			e.Value = c.ref(le.Against, cmd, e.Fn)
		} else if le.IfCreated {
			return false // the second half of an atomic create
		}
		e.Losers = !le.IfCreated && !le.Checked
	case lua.Free:
		e.Kind, e.Weak = Free, true
		e.Lit = "release script"
		if le.Checked {
			e.Kind, e.Weak = CheckedFree, false
			e.Value = c.ref(le.Against, cmd, e.Fn)
		}
	case lua.Set:
		e.Kind = Overwrite
		if le.Checked && renews(le) {
			e.Kind = CheckedRenew
			e.Value = c.ref(le.Against, cmd, e.Fn)
		} else if le.Checked {
			e.Kind = Data // compare and swap
		}
	case lua.Read:
		return false // a read inside a script races with nothing
	default:
		e.Kind = Data
	}
	return true
}

// ref is the Go value behind a value of the script.
func (c *collector) ref(r lua.Ref, cmd *rediscmd.Command, f *Func) Value {
	switch r.Kind {
	case lua.Argv:
		if a := argv(cmd, r.Index); a != nil {
			return c.value(a, f)
		}
	case lua.Keys:
		if r.Index >= 1 && r.Index <= len(cmd.Keys) && !cmd.Spread {
			return c.value(cmd.Keys[r.Index-1], f)
		}
	case lua.Const:
		if !strings.Contains(r.Text, "%") {
			return Value{Kind: ValueConst, Text: r.String(), Param: keyexpr.NoParam}
		}
	}
	return Value{Kind: ValueScript, Param: keyexpr.NoParam}
}

func (c *collector) script(text string) *lua.Script {
	if s, ok := c.scripts[text]; ok {
		return s
	}
	s, err := lua.Parse(text)
	if err != nil {
		s = nil
	}
	if c.scripts == nil {
		c.scripts = scriptCache{}
	}
	c.scripts[text] = s
	return s
}

// text evaluates the text of a script: constants put together, a variable or
// field that is set once, the format of a Sprintf, an embedded file.
func (c *collector) text(e ast.Expr, depth int) (string, bool) {
	if e == nil || depth > 10 {
		return "", false
	}
	e = ast.Unparen(e)
	if tv := c.info.Types[e]; tv.Value != nil && tv.Value.Kind() == constant.String {
		return constant.StringVal(tv.Value), true
	}
	switch x := e.(type) {
	case *ast.BinaryExpr:
		l, ok := c.text(x.X, depth+1)
		if !ok {
			return "", false
		}
		r, ok := c.text(x.Y, depth+1)
		return l + r, ok
	case *ast.CallExpr:
		if tv := c.info.Types[x.Fun]; tv.IsType() && len(x.Args) == 1 {
			return c.text(x.Args[0], depth+1)
		}
		fn, ok := typeutil.Callee(c.info, x).(*types.Func)
		if !ok || len(x.Args) == 0 {
			return "", false
		}
		switch fn.FullName() {
		case "fmt.Sprintf", "strings.TrimSpace":
			return c.text(x.Args[0], depth+1)
		}
		if rediscmd.LibraryOf(pathOf(fn)) != nil && fn.Name() == "NewScript" {
			return c.text(x.Args[0], depth+1)
		}
	case *ast.Ident, *ast.SelectorExpr:
		if v := c.defs.Var(x); v != nil {
			if text, ok := c.embedded(v); ok {
				return text, true
			}
		}
		if once := c.rec.Once(x); once != nil {
			return c.text(once, depth+1)
		}
	}
	return "", false
}

func pathOf(fn *types.Func) string {
	if fn.Pkg() == nil {
		return ""
	}
	return fn.Pkg().Path()
}

// embedded returns the file behind a variable with a go:embed directive.
func (c *collector) embedded(v *types.Var) (string, bool) {
	if v.Pkg() != c.pass.Pkg {
		return "", false
	}
	for _, f := range c.pass.Files {
		if v.Pos() < f.FileStart || v.Pos() > f.FileEnd {
			continue
		}
		for _, d := range f.Decls {
			gd, ok := d.(*ast.GenDecl)
			if !ok || v.Pos() < gd.Pos() || v.Pos() > gd.End() {
				continue
			}
			for _, s := range gd.Specs {
				vs, ok := s.(*ast.ValueSpec)
				if !ok || len(vs.Names) != 1 || vs.Names[0].Pos() != v.Pos() {
					continue
				}
				for _, doc := range []*ast.CommentGroup{vs.Doc, gd.Doc} {
					if name := embedName(doc); name != "" {
						dir := filepath.Dir(c.pass.Fset.Position(f.FileStart).Filename)
						data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
						return string(data), err == nil && len(data) <= maxEmbedded
					}
				}
			}
		}
	}
	return "", false
}

// maxEmbedded bounds the size of an embedded file taken for a script.
const maxEmbedded = 1 << 20

func embedName(doc *ast.CommentGroup) string {
	if doc == nil {
		return ""
	}
	for _, l := range doc.List {
		if rest, ok := strings.CutPrefix(l.Text, "//go:embed "); ok {
			if f := strings.Fields(rest); len(f) == 1 {
				return strings.Trim(f[0], "\"`")
			}
		}
	}
	return ""
}
