package lua

import (
	"strconv"
	"strings"

	"github.com/yuin/gopher-lua/ast"
)

// An Answer is what a script of one command answers.
type Answer uint8

const (
	// AnswerNothing: nil, or something that is not told.
	AnswerNothing Answer = iota
	// AnswerNumber is a number that is the same for every run.
	AnswerNumber
	// AnswerCommand is what the command answered.
	AnswerCommand
)

// A One is a script that is one command and nothing else: no branch, no loop, no
// second command.
type One struct {
	Name   string // in lower case
	Args   []Ref  // Keys, Argv or Const
	Answer Answer
}

// OneCommand reads a script that sends one command by redis.call, with arguments that
// it was given or that are constants; ok is false for any other script.
func OneCommand(text string) (one One, ok bool) {
	if len(text) > maxText {
		return One{}, false
	}
	text, library := shebang(text)
	if library {
		return One{}, false
	}
	chunk, err := parseChunk(text)
	if err != nil {
		return One{}, false
	}
	r := oneReader{names: map[string]Ref{}}
	for i, s := range chunk {
		if !r.stmt(s) || r.returned && i < len(chunk)-1 {
			return One{}, false
		}
	}
	return r.one, r.one.Name != ""
}

type oneReader struct {
	one      One
	names    map[string]Ref
	answer   string // the local that holds what the command answered
	returned bool
}

func (r *oneReader) stmt(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.LocalAssignStmt:
		if len(s.Names) != len(s.Exprs) {
			return false
		}
		for i, name := range s.Names {
			switch name {
			case "KEYS", "ARGV", "redis", "tonumber", r.answer:
				return false
			}
			if call, ok := s.Exprs[i].(*ast.FuncCallExpr); ok && r.command(call) {
				delete(r.names, name)
				r.answer = name
				continue
			}
			ref, ok := r.ref(s.Exprs[i])
			if !ok {
				return false
			}
			r.names[name] = ref
		}
		return true
	case *ast.FuncCallStmt:
		call, ok := s.Expr.(*ast.FuncCallExpr)
		return ok && r.command(call)
	case *ast.ReturnStmt:
		r.returned = true
		if len(s.Exprs) != 1 {
			return len(s.Exprs) == 0
		}
		switch e := s.Exprs[0].(type) {
		case *ast.FuncCallExpr:
			r.one.Answer = AnswerCommand
			return r.command(e)
		case *ast.IdentExpr:
			if r.answer != "" && e.Value == r.answer {
				r.one.Answer = AnswerCommand
				return true
			}
		case *ast.NumberExpr, *ast.TrueExpr:
			r.one.Answer = AnswerNumber
			return true
		case *ast.NilExpr, *ast.FalseExpr, *ast.StringExpr:
			return true
		}
	}
	return false
}

// command notes the command that a call sends; false if there was one before.
func (r *oneReader) command(call *ast.FuncCallExpr) bool {
	at, ok := call.Func.(*ast.AttrGetExpr)
	if !ok || call.Method != "" || r.one.Name != "" || len(call.Args) == 0 {
		return false
	}
	object, ok := at.Object.(*ast.IdentExpr)
	method, isText := at.Key.(*ast.StringExpr)
	name, named := call.Args[0].(*ast.StringExpr)
	if !ok || !isText || !named || object.Value != "redis" || method.Value != "call" {
		return false
	}
	for _, a := range call.Args[1:] {
		ref, ok := r.ref(a)
		if !ok {
			return false
		}
		r.one.Args = append(r.one.Args, ref)
	}
	r.one.Name = strings.ToLower(name.Value)
	return true
}

// ref names an argument.
func (r *oneReader) ref(e ast.Expr) (Ref, bool) {
	switch e := e.(type) {
	case *ast.IdentExpr:
		ref, ok := r.names[e.Value]
		return ref, ok
	case *ast.StringExpr:
		return Ref{Kind: Const, Text: e.Value}, true
	case *ast.NumberExpr:
		return Ref{Kind: Const, Text: e.Value}, true
	case *ast.FuncCallExpr: // tonumber(ARGV[1])
		if id, ok := e.Func.(*ast.IdentExpr); ok && id.Value == "tonumber" && len(e.Args) == 1 {
			return r.ref(e.Args[0])
		}
	case *ast.AttrGetExpr:
		list, ok := e.Object.(*ast.IdentExpr)
		number, isNumber := e.Key.(*ast.NumberExpr)
		if !ok || !isNumber {
			return Ref{}, false
		}
		n, err := strconv.Atoi(number.Value)
		if err != nil || n < 1 {
			return Ref{}, false
		}
		switch list.Value {
		case "KEYS":
			return Ref{Kind: Keys, Index: n}, true
		case "ARGV":
			return Ref{Kind: Argv, Index: n}, true
		}
	}
	return Ref{}, false
}
