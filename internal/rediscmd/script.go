package rediscmd

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/types/typeutil"
)

// script reads a method of Script: s.Run(ctx, client, keys, args...).
func (r *Recognizer) script(c *Command, call *ast.CallExpr, args []ast.Expr) *Command {
	switch c.Name {
	case "Run", "RunRO", "Eval", "EvalRO", "EvalSha", "EvalShaRO":
	default:
		return nil
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || len(args) < 2 {
		return nil
	}
	c.Verb, c.Method = Script, true
	c.Client, c.KeyList = args[0], args[1]
	if t := r.Info.TypeOf(args[0]); t != nil {
		c.Conn = connOf(t)
	}
	c.Text = r.scriptText(sel.X)
	c.Args, c.ArgsAll = r.argList(args[2:], call.Ellipsis.IsValid(), c.Lib)
	c.Keys, c.Spread = r.keyList(c.KeyList)
	return c
}

// eval reads Eval(ctx, text, keys, args...) and EvalSha.
func (r *Recognizer) eval(c *Command, args []ast.Expr, ellipsis bool) *Command {
	if len(args) < 2 {
		return nil
	}
	c.Verb, c.Method = Script, true
	switch c.Name {
	case "Eval", "EvalRO":
		c.Text = args[0]
	default:
		c.Text = r.shaText(args[0])
	}
	c.KeyList = args[1]
	c.Args, c.ArgsAll = r.argList(args[2:], ellipsis, c.Lib)
	c.Keys, c.Spread = r.keyList(c.KeyList)
	return c
}

// rawEval reads Do(ctx, "EVAL", text, numkeys, keys..., args...).
func (r *Recognizer) rawEval(c *Command, args []ast.Expr) *Command {
	c.Keys = nil
	if len(args) < 3 {
		return nil
	}
	n, ok := r.constInt(args[2])
	if !ok || n < 0 || n > int64(len(args)-3) {
		return nil
	}
	c.Verb, c.Text = Script, args[1]
	c.Keys, c.Args, c.ArgsAll = args[3:3+n], args[3+n:], true
	return c
}

// argList returns the arguments of a script as it sees them. The clients take a
// slice apart that is the only argument: []string all of them, []any from v8 on.
// all is false if the last of them may be several.
func (r *Recognizer) argList(args []ast.Expr, spread bool, lib *Library) (list []ast.Expr, all bool) {
	if len(args) != 1 {
		return args, !spread
	}
	if !spread {
		t := r.Info.TypeOf(args[0])
		if t == nil {
			return args, true
		}
		slice, ok := types.Unalias(t).(*types.Slice)
		if !ok {
			return args, true
		}
		switch elem := types.Unalias(slice.Elem()); {
		case types.Identical(elem, types.Typ[types.String]):
		case types.Identical(elem, types.NewInterfaceType(nil, nil)) && lib.Major >= 8:
		default:
			return args, true
		}
	}
	if elems, ok := r.Defs.Elems(args[0]); ok {
		return elems, true
	}
	return args, false
}

// keyList returns the keys of []string{…}; a slice that is not seen through is
// returned whole, as a spread.
func (r *Recognizer) keyList(e ast.Expr) (keys []ast.Expr, spread bool) {
	if lit, ok := r.Defs.Resolve(e).(*ast.CompositeLit); ok {
		for _, el := range lit.Elts {
			if _, kv := el.(*ast.KeyValueExpr); kv {
				return []ast.Expr{e}, true
			}
		}
		return lit.Elts, false
	}
	return []ast.Expr{e}, true
}

// scriptText returns the text a *Script expression was made of: NewScript(text)
// in the expression, a variable or a field that is set once.
func (r *Recognizer) scriptText(e ast.Expr) ast.Expr {
	for range 10 {
		switch x := ast.Unparen(e).(type) {
		case *ast.CallExpr:
			fn, _ := typeutil.Callee(r.Info, x).(*types.Func)
			if funcLibrary(fn) == nil || fn.Name() != "NewScript" && fn.Name() != "NewScriptServerSHA" || len(x.Args) != 1 {
				return nil
			}
			return x.Args[0]
		case *ast.Ident, *ast.SelectorExpr:
			if e = r.Once(x); e == nil {
				return nil
			}
		default:
			return nil
		}
	}
	return nil
}

// shaText returns the script behind EvalSha(ctx, s.Hash(), …) or behind the SHA
// that ScriptLoad gave.
func (r *Recognizer) shaText(e ast.Expr) ast.Expr {
	for range 10 {
		switch x := ast.Unparen(e).(type) {
		case *ast.CallExpr:
			fn, _ := typeutil.Callee(r.Info, x).(*types.Func)
			if funcLibrary(fn) == nil {
				return nil
			}
			sel, ok := ast.Unparen(x.Fun).(*ast.SelectorExpr)
			if !ok {
				return nil
			}
			switch fn.Name() {
			case "Hash":
				return r.scriptText(sel.X)
			case "ScriptLoad":
				if len(x.Args) == 0 {
					return nil
				}
				return x.Args[len(x.Args)-1]
			case "Result", "Val": // of ScriptLoad
				e = sel.X
			default:
				return nil
			}
		case *ast.Ident, *ast.SelectorExpr:
			if e = r.Once(x); e == nil {
				return nil
			}
		default:
			return nil
		}
	}
	return nil
}

// Once returns the value of a variable (local or of the package) or a field that
// is set in exactly one place; nil otherwise.
func (r *Recognizer) Once(e ast.Expr) ast.Expr {
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident:
		v := r.Defs.Var(x)
		if d, ok := r.Defs.Single(v); ok && d.Rhs != nil && (!d.Multi || d.Index == 0) {
			return d.Rhs
		}
	case *ast.SelectorExpr:
		s := r.Info.Selections[x]
		if s == nil { // pkg.Var: of another package, not seen
			return nil
		}
		f, ok := s.Obj().(*types.Var)
		if !ok || r.Defs.FieldTaken(f) {
			return nil
		}
		if all := r.Defs.Fields(f); len(all) == 1 && all[0].Rhs != nil && !all[0].Multi {
			return all[0].Rhs
		}
	}
	return nil
}
