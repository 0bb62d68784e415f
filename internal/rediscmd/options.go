package rediscmd

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/locklint/locklint/internal/defs"
)

// setArgs reads SetArgs(ctx, key, value, options).
func (r *Recognizer) setArgs(c *Command, args []ast.Expr) *Command {
	if len(args) != 3 {
		return nil
	}
	c.Verb, c.Method, c.NilReply = Set, true, true
	c.Keys, c.Value = args[:1], args[1]
	c.Cond, c.TTL = CondUnknown, TTL{Kind: TTLUnknown}
	f, lit := r.fields(args[2])
	c.Options = lit
	if f == nil {
		return c
	}
	f.mode(r, c)
	c.TTL = f.ttl(r)
	return c
}

// delEx reads DelExArgs(ctx, key, options).
func (r *Recognizer) delEx(c *Command, args []ast.Expr) *Command {
	if len(args) != 2 {
		return nil
	}
	c.Verb, c.Method, c.Cond = DelEx, true, CondUnknown
	c.Keys = args[:1]
	f, _ := r.fields(args[1])
	if f == nil {
		return c
	}
	f.mode(r, c)
	return c
}

// mode sets the condition that the field Mode names, if it is known.
func (f fields) mode(r *Recognizer, c *Command) {
	switch mode, ok := f.str(r, "Mode"); {
	case !ok:
	case mode == "":
		c.Cond = Always
	default:
		c.condition(mode, f.one("MatchValue"))
	}
}

// condition sets the condition of SET or DELEX that a word names, in any case; another
// word leaves it as it is. match is what IFEQ compares with.
func (c *Command) condition(word string, match ast.Expr) {
	switch word = strings.ToUpper(word); {
	case word == "NX" && c.Verb == Set:
		c.Cond = IfAbsent
	case word == "XX" && c.Verb == Set:
		c.Cond = IfPresent
	case word == "IFEQ", word == "IFDEQ":
		c.Cond, c.Match = IfEqual, match
	case word == "IFNE", word == "IFDNE":
		c.Cond = IfDifferent
	}
}

// Field returns the value of a field of a struct that is a literal or a variable
// filled field by field; nil if it is left out. ok is false if it is not known.
func (r *Recognizer) Field(e ast.Expr, name string) (value ast.Expr, ok bool) {
	f, _ := r.fields(e)
	if f == nil {
		return nil, false
	}
	switch vs := f[name]; len(vs) {
	case 0:
		return nil, true
	case 1:
		return vs[0], vs[0] != nil
	}
	return nil, false
}

// fields are the values of a struct of options, by field; several values where
// the field is filled in more than one place. Nil: not known.
type fields map[string][]ast.Expr

// fields reads an options struct: a literal, a pointer to one, or a variable that
// starts as one and is filled field by field.
func (r *Recognizer) fields(e ast.Expr) (fields, *ast.CompositeLit) {
	switch x := ast.Unparen(e).(type) {
	case *ast.CompositeLit:
		f := fields{}
		for _, el := range x.Elts {
			kv, ok := el.(*ast.KeyValueExpr)
			if !ok {
				return nil, nil
			}
			if id, ok := kv.Key.(*ast.Ident); ok {
				f[id.Name] = append(f[id.Name], kv.Value)
			}
		}
		return f, x
	case *ast.StarExpr:
		f, _ := r.fields(x.X)
		return f, nil
	case *ast.UnaryExpr:
		if x.Op == token.AND {
			f, _ := r.fields(x.X)
			return f, nil
		}
	case *ast.Ident:
		v := r.Defs.Var(x)
		if v == nil || defs.IsGlobal(v) || r.Defs.Escapes(v) || r.Defs.Given(v) || len(r.Defs.All(v)) == 0 {
			return nil, nil
		}
		f := fields{}
		for _, d := range r.Defs.All(v) {
			if d.Zero {
				continue
			}
			if d.Rhs == nil || d.Multi {
				return nil, nil
			}
			if v := r.Defs.Var(d.Rhs); v != nil {
				return nil, nil
			}
			g, _ := r.fields(d.Rhs)
			if g == nil {
				return nil, nil
			}
			for k, vs := range g {
				f[k] = append(f[k], vs...)
			}
		}
		st, ok := deref(v.Type()).Underlying().(*types.Struct)
		if !ok {
			return nil, nil
		}
		for f0 := range st.Fields() {
			for _, d := range r.Defs.Set(v, f0.Name()) {
				f[f0.Name()] = append(f[f0.Name()], d.Rhs)
			}
		}
		return f, nil
	}
	return nil, nil
}

// one returns the value of a field that is given once.
func (f fields) one(name string) ast.Expr {
	if len(f[name]) == 1 {
		return f[name][0]
	}
	return nil
}

// str returns a constant string field; "" where it is not given.
func (f fields) str(r *Recognizer, name string) (string, bool) {
	switch vs := f[name]; len(vs) {
	case 0:
		return "", true
	case 1:
		if vs[0] == nil {
			return "", false
		}
		return r.constString(vs[0])
	}
	return "", false
}

// ttl judges TTL, ExpireAt and KeepTTL together.
func (f fields) ttl(r *Recognizer) TTL {
	unknown := TTL{Kind: TTLUnknown}
	if vs := f["ExpireAt"]; len(vs) > 0 {
		unknown.Expr, unknown.At = f.one("ExpireAt"), true
		return unknown
	}
	t := TTL{Kind: TTLNone}
	switch vs := f["TTL"]; len(vs) {
	case 0:
	case 1:
		if vs[0] == nil {
			return unknown
		}
		t = r.Duration(vs[0])
		if t.Kind == TTLConst && t.Dur < 0 {
			t.Kind = TTLNone // SetArgs leaves out a negative TTL
		}
	default:
		return unknown
	}
	if vs := f["KeepTTL"]; len(vs) > 0 {
		v := f.one("KeepTTL")
		if v == nil {
			return unknown
		}
		switch b, ok := r.constBool(v); {
		case !ok:
			return unknown
		case b:
			t.Clash = !t.Missing()
			t.Kind = TTLKeep
		}
	}
	return t
}
