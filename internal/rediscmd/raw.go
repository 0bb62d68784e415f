package rediscmd

import (
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/types/typeutil"
)

// process reads Process(ctx, cmd) where cmd is made by NewCmd and its kin.
func (r *Recognizer) process(c *Command, args []ast.Expr) *Command {
	if len(args) != 1 {
		return nil
	}
	call, ok := r.Defs.Resolve(args[0]).(*ast.CallExpr)
	if !ok {
		return nil
	}
	fn, ok := typeutil.Callee(r.Info, call).(*types.Func)
	if !ok || funcLibrary(fn) == nil || !strings.HasPrefix(fn.Name(), "New") || !strings.HasSuffix(fn.Name(), "Cmd") {
		return nil
	}
	in := call.Args
	if c.Lib.Context {
		if len(in) == 0 {
			return nil
		}
		in = in[1:]
	}
	return r.raw(c, in, call.Ellipsis.IsValid())
}

// raw reads the words of a command: Do(ctx, "SET", key, value, "NX", "EX", 10).
func (r *Recognizer) raw(c *Command, args []ast.Expr, ellipsis bool) *Command {
	if ellipsis {
		if len(args) != 1 {
			return nil
		}
		elems, ok := r.Defs.Elems(args[0])
		if !ok {
			return nil // a slice that may hold anything
		}
		args = elems
	}
	if len(args) < 2 {
		return nil
	}
	verb, ok := r.constString(args[0])
	if !ok {
		return nil
	}
	verb = strings.ToUpper(verb)
	c.Name += "(" + verb + ")"
	c.NilReply = true
	rest := args[2:]
	c.Keys = args[1:2]
	switch verb {
	case "SET":
		if len(rest) == 0 {
			return nil
		}
		c.Verb, c.Value = Set, rest[0]
		r.options(c, rest[1:])
	case "SETNX":
		if len(rest) == 0 {
			return nil
		}
		c.Verb, c.Value, c.Cond, c.Extra = Set, rest[0], IfAbsent, rest[1:]
		c.NilReply = false
	case "SETEX", "PSETEX":
		if len(rest) < 2 {
			return nil
		}
		c.Verb, c.Value = Set, rest[1]
		c.TTL = r.seconds(rest[0], verb == "PSETEX")
	case "GET":
		c.Verb = Get
	case "GETSET":
		c.Verb = GetSet
	case "GETDEL":
		c.Verb = GetDel
	case "DEL", "UNLINK":
		c.Verb, c.Keys = Del, args[1:]
	case "DELEX":
		c.Verb = DelEx
		r.delOptions(c, rest)
	case "EXPIRE", "PEXPIRE", "EXPIREAT", "PEXPIREAT":
		if len(rest) == 0 {
			return nil
		}
		c.Verb, c.Millis = Expire, verb[0] == 'P'
		c.TTL = r.seconds(rest[0], c.Millis)
		c.TTL.At = strings.HasSuffix(verb, "AT")
		if len(rest) > 1 {
			if w, ok := r.constString(rest[1]); ok {
				c.OnlyIf = strings.ToUpper(w)
			}
		}
	case "PERSIST":
		c.Verb = Persist
	case "EXISTS", "TTL", "PTTL", "TYPE", "TOUCH":
		c.Verb = Inspect
	case "EVAL":
		return r.rawEval(c, args)
	case "EVALSHA", "PUBLISH", "SUBSCRIBE", "CONFIG", "SCRIPT", "CLIENT", "INFO", "KEYS", "SCAN", "SELECT", "AUTH", "PING":
		return nil
	default:
		c.Verb = Data
	}
	return c
}

// options reads the words after SET key value, in any order and case. Words that
// are not constants make condition and expiry unknown.
func (r *Recognizer) options(c *Command, words []ast.Expr) {
	c.TTL = TTL{Kind: TTLNone}
	for i := 0; i < len(words); i++ {
		w, ok := r.constString(words[i])
		if !ok {
			c.Cond, c.TTL = CondUnknown, TTL{Kind: TTLUnknown}
			return
		}
		switch w = strings.ToUpper(w); w {
		case "NX", "XX":
			c.condition(w, nil)
		case "KEEPTTL":
			c.TTL = TTL{Kind: TTLKeep}
		case "GET":
		case "EX", "PX", "EXAT", "PXAT":
			if i++; i >= len(words) {
				return
			}
			c.TTL = r.seconds(words[i], w[0] == 'P')
			c.TTL.At = strings.HasSuffix(w, "AT")
		case "IFEQ", "IFNE", "IFDEQ", "IFDNE":
			if i++; i >= len(words) {
				return
			}
			c.condition(w, words[i])
		default:
			c.Cond, c.TTL = CondUnknown, TTL{Kind: TTLUnknown}
			return
		}
	}
}

// delOptions reads the words after DELEX key.
func (r *Recognizer) delOptions(c *Command, words []ast.Expr) {
	if len(words) == 0 {
		return
	}
	c.Cond = CondUnknown
	if w, ok := r.constString(words[0]); ok && len(words) == 2 {
		c.condition(w, words[1])
	}
}
