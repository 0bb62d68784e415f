package locks

import "go/ast"

// BuildsText reports, by syntax alone, whether a function may build a key of which
// importers of its package are told. A loader needs to know before it has types.
func BuildsText(d *ast.FuncDecl) bool { return buildsText(d) }
