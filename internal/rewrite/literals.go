package rewrite

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// written reports whether a file of the package's folder that is not part of this
// analysis, a test or one of another platform, names a type, or one whose literals
// hold values of it without its name: leases{{nil, "a"}}. It may write them without
// the names of the fields.
func (p *planner) written(typ *types.TypeName) bool {
	names := map[string]bool{typ.Name(): true}
	scope := p.pass.Pkg.Scope()
	for _, name := range scope.Names() {
		if other, ok := scope.Lookup(name).(*types.TypeName); ok && holds(other.Type(), typ, nil) {
			names[name] = true
		}
	}
	return p.namedBeyond(typ.Pos(), names, true)
}

// namedBeyond reports whether a file of the folder around a position that is not part
// of this analysis uses one of some names of the package; whether tests count is said.
func (p *planner) namedBeyond(pos token.Pos, names map[string]bool, tests bool) bool {
	known := map[string]bool{}
	for _, f := range p.pass.Files {
		known[p.pass.Fset.File(f.FileStart).Name()] = true
	}
	dir := filepath.Dir(p.pass.Fset.Position(pos).Filename)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return true
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if strings.HasSuffix(path, ".go") && !known[path] && (tests || !isTest(path)) && namesOne(path, p.pass.Pkg.Name(), names) {
			return true
		}
	}
	return false
}

func isTest(path string) bool { return strings.HasSuffix(path, "_test.go") }

// holds reports whether a type is typ, or one whose literals hold it unnamed. In those
// of a struct it is named.
func holds(t types.Type, typ *types.TypeName, seen []*types.TypeName) bool {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		if t.Obj() == typ || slices.Contains(seen, t.Obj()) {
			return t.Obj() == typ
		}
		return holds(t.Underlying(), typ, append(seen, t.Obj()))
	case *types.Pointer:
		return holds(t.Elem(), typ, seen)
	case *types.Slice:
		return holds(t.Elem(), typ, seen)
	case *types.Array:
		return holds(t.Elem(), typ, seen)
	case *types.Chan:
		return holds(t.Elem(), typ, seen)
	case *types.Map:
		return holds(t.Elem(), typ, seen) || holds(t.Key(), typ, seen)
	}
	return false
}

// namesOne reports whether a file of the package uses one of some names, other than as
// a field or a method. One that cannot be read may.
func namesOne(path, pkg string, names map[string]bool) bool {
	f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		return true
	}
	if f.Name.Name != pkg {
		return false // sees exported types alone, which need the names of their fields
	}
	found := false
	notOne := map[*ast.Ident]bool{} // names of fields, parameters and methods
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			notOne[n.Sel] = true
		case *ast.Field:
			for _, name := range n.Names {
				notOne[name] = true
			}
		case *ast.FuncDecl:
			notOne[n.Name] = n.Recv != nil
		case *ast.Ident:
			found = found || names[n.Name] && !notOne[n]
		}
		return !found
	})
	return found
}
