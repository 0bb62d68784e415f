package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/locklint/locklint"
	"github.com/locklint/locklint/internal/config"
	"github.com/locklint/locklint/internal/locks"
)

// The scripts run the program with toy passes, named as the real ones: they test
// the front end, and what the passes hold to be a fault is not their concern.
//
//   - setnxexpire/no-ttl: x.SetNX(…, 0), and a call of a function that forwards to
//     one, in whichever package. The fix writes "ttl" for the 0.
//   - setnxexpire/setnx-expire: a statement x.Expire(…). The fix deletes it.
//   - baredel/unowned-release: x.Del(…), with the name of the function as related
//     position. No fix.
func toyAnalyzers(cfg *locklint.Config) []*analysis.Analyzer {
	records := &analysis.Analyzer{
		Name:       "redislocks",
		Doc:        "redislocks: toy",
		FactTypes:  []analysis.Fact{new(noTTL)},
		ResultType: reflect.TypeFor[*toyRecords](),
		Run:        toyLocks,
	}
	pass := func(name, doc string, run func(*analysis.Pass, func(analysis.Diagnostic))) *analysis.Analyzer {
		return &analysis.Analyzer{
			Name: name, Doc: doc, Requires: []*analysis.Analyzer{records},
			Run: func(p *analysis.Pass) (any, error) {
				run(p, func(d analysis.Diagnostic) {
					if !cfg.Enabled(d.Category) || !cfg.Tests && strings.HasSuffix(p.Fset.Position(d.Pos).Filename, "_test.go") {
						return
					}
					if cfg.Prefix == config.PrefixPassKind {
						d.Message = name + "/" + d.Category + ": " + d.Message
					}
					if cfg.Fixes == config.FixesNone {
						d.SuggestedFixes = nil
					}
					p.Report(d)
				})
				return nil, nil
			},
		}
	}
	return []*analysis.Analyzer{
		pass("setnxexpire", "setnxexpire: toy", toyCreate),
		pass("baredel", "baredel: toy", toyFree),
	}
}

type noTTL struct{}

func (*noTTL) AFact()         {}
func (*noTTL) String() string { return "noTTL" }

type toyRecords struct {
	lines map[string][]int // base name of the file -> lines of SetNX
	calls map[*ast.CallExpr]bool
}

func (r *toyRecords) Debug() string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(r.lines)) {
		for _, n := range r.lines[name] {
			fmt.Fprintf(&b, "lock at %s:%d\n", name, n)
		}
	}
	return b.String()
}

func (r *toyRecords) Why(file string, line int) locks.Explanation {
	for _, n := range r.lines[filepath.Base(file)] {
		if n == line {
			return locks.Explanation{Lines: []string{"a lock: SetNX creates it"}}
		}
	}
	return locks.Explanation{Lines: []string{"no lock here"}}
}

func toyLocks(p *analysis.Pass) (any, error) {
	r := &toyRecords{map[string][]int{}, map[*ast.CallExpr]bool{}}
	for _, f := range p.Files {
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Body == nil {
				continue
			}
			ast.Inspect(fn.Body, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				callee, _ := typeutil.Callee(p.TypesInfo, call).(*types.Func)
				if callee == nil {
					return true
				}
				if zeroSetNX(callee, call) || callee.Pkg() != p.Pkg && p.ImportObjectFact(callee, new(noTTL)) {
					r.calls[call] = true
					posn := p.Fset.Position(call.Pos())
					r.lines[filepath.Base(posn.Filename)] = append(r.lines[filepath.Base(posn.Filename)], posn.Line)
					p.ExportObjectFact(p.TypesInfo.Defs[fn.Name], new(noTTL))
				}
				return true
			})
		}
	}
	return r, nil
}

func zeroSetNX(callee *types.Func, call *ast.CallExpr) bool {
	if callee.Name() != "SetNX" || len(call.Args) == 0 {
		return false
	}
	lit, ok := call.Args[len(call.Args)-1].(*ast.BasicLit)
	return ok && lit.Value == "0"
}

func toyCreate(p *analysis.Pass, report func(analysis.Diagnostic)) {
	r := p.ResultOf[p.Analyzer.Requires[0]].(*toyRecords)
	for _, f := range p.Files {
		ast.Inspect(f, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok && r.calls[call] {
				d := analysis.Diagnostic{Pos: call.Pos(), End: call.End(), Category: "no-ttl", Message: "the lock has no expiry"}
				if last := call.Args[len(call.Args)-1]; isZero(last) {
					d.SuggestedFixes = []analysis.SuggestedFix{{
						Message:   "Give it one",
						TextEdits: []analysis.TextEdit{{Pos: last.Pos(), End: last.End(), NewText: []byte("ttl")}},
					}}
				}
				report(d)
			}
			if stmt, ok := n.(*ast.ExprStmt); ok && selects(stmt, "Expire") {
				report(analysis.Diagnostic{
					Pos: stmt.Pos(), End: stmt.End(), Category: "setnx-expire", Message: "expired by a second command",
					SuggestedFixes: []analysis.SuggestedFix{{
						Message:   "Drop it",
						TextEdits: []analysis.TextEdit{{Pos: stmt.Pos(), End: stmt.End()}},
					}},
				})
			}
			return true
		})
	}
}

func toyFree(p *analysis.Pass, report func(analysis.Diagnostic)) {
	for _, f := range p.Files {
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			ast.Inspect(fn, func(n ast.Node) bool {
				if stmt, ok := n.(*ast.ExprStmt); ok && selects(stmt, "Del") {
					report(analysis.Diagnostic{
						Pos: stmt.Pos(), End: stmt.End(), Category: "unowned-release", Message: "freed without a check",
						Related: []analysis.RelatedInformation{{Pos: fn.Name.Pos(), End: fn.Name.End(), Message: "in this function"}},
					})
				}
				return true
			})
		}
	}
}

func isZero(e ast.Expr) bool {
	lit, ok := e.(*ast.BasicLit)
	return ok && lit.Kind == token.INT && lit.Value == "0"
}

func selects(stmt *ast.ExprStmt, name string) bool {
	call, ok := stmt.X.(*ast.CallExpr)
	if !ok {
		return false
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	return ok && sel.Sel.Name == name
}
