package locks

import (
	"go/ast"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/locklint/locklint/internal/config"
)

// mayHold is the one predicate of where a lock can be: the package reaches a client
// by its imports, or calls a method with the name of an interface shape. It costs
// next to nothing.
func mayHold(pass *analysis.Pass, cfg *config.Config) bool {
	if Reaches(pass.Pkg) {
		return true
	}
	if standard(pass) {
		return false
	}
	ins := pass.ResultOf[inspect.Analyzer].(*inspector.Inspector)
	if !cfg.Interfaces {
		return false
	}
	for cur := range ins.Root().Preorder((*ast.SelectorExpr)(nil)) {
		if isShapeName(cur.Node().(*ast.SelectorExpr).Sel.Name) {
			return true
		}
	}
	return false
}

// standard reports whether a package belongs to the standard library: it is in no
// module and has no dot in the first element of its path.
func standard(pass *analysis.Pass) bool {
	if pass.Module != nil && pass.Module.Path != "" && pass.Module.Path != "std" {
		return false
	}
	first, _, _ := strings.Cut(pass.Pkg.Path(), "/")
	return !strings.Contains(first, ".") && first != "command-line-arguments"
}
