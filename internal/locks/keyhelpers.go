package locks

import (
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/locklint/locklint/internal/defs"
	"github.com/locklint/locklint/internal/keyexpr"
)

// keyHelpers exports the keys that the functions of a package without a client
// build of their parameters, so that two packages which call a helper, or one
// which calls it and one which writes the text out, mean the same key.
func keyHelpers(pass *analysis.Pass) {
	if standard(pass) {
		return
	}
	for _, file := range pass.Files {
		for _, d := range file.Decls {
			fd, ok := d.(*ast.FuncDecl)
			if !ok || !buildsText(fd) {
				continue
			}
			fn, ok := pass.TypesInfo.Defs[fd.Name].(*types.Func)
			if !ok {
				continue
			}
			fold := &keyexpr.Folder{Info: pass.TypesInfo, Defs: defs.NewDecl(fd, pass.TypesInfo)}
			if k, ok := keyOf(fold, fd, fn); ok {
				enc := encodeKey(k)
				pass.ExportObjectFact(fn, &summary{Key: &enc})
			}
		}
	}
}

// buildsText reports, by syntax alone, whether a function may build a key: it
// returns one string, by +, Sprintf or Join.
func buildsText(fd *ast.FuncDecl) bool {
	r := fd.Type.Results
	if fd.Body == nil || len(fd.Body.List) == 0 || r == nil || len(r.List) != 1 || len(r.List[0].Names) > 1 ||
		fd.Name.Name == "String" || fd.Name.Name == "Error" {
		return false
	}
	if id, ok := r.List[0].Type.(*ast.Ident); !ok || id.Name != "string" {
		return false
	}
	ret, ok := fd.Body.List[len(fd.Body.List)-1].(*ast.ReturnStmt)
	if !ok || len(ret.Results) != 1 {
		return false
	}
	switch x := ast.Unparen(ret.Results[0]).(type) {
	case *ast.BinaryExpr:
		return true
	case *ast.CallExpr:
		sel, ok := x.Fun.(*ast.SelectorExpr)
		return ok && (sel.Sel.Name == "Sprintf" || sel.Sel.Name == "Join")
	}
	return false
}

// keyOf returns the key a function builds: text with holes for its parameters.
func keyOf(fold *keyexpr.Folder, d *ast.FuncDecl, fn *types.Func) (keyexpr.Key, bool) {
	if !buildsText(d) {
		return keyexpr.Key{}, false
	}
	k := fold.Result(d, keyexpr.ScopeOf(fn))
	return k, k.Portable() && keyexpr.Telling(k.Literals())
}

// sameModule reports whether a package belongs to the module that is analysed:
// keys of other modules' helpers are theirs.
func sameModule(pass *analysis.Pass, path string) bool {
	if pass.Module == nil || pass.Module.Path == "" {
		return false
	}
	return path == pass.Module.Path || strings.HasPrefix(path, pass.Module.Path+"/")
}
