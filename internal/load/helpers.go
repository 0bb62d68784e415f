package load

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os"

	"golang.org/x/tools/go/packages"
)

// helpersOf finds the packages that build keys for those that may hold a lock: of
// the same module, imported by one of them, directly or not, and with a function
// that helper accepts and whose name stands in the source of one of them.
func helpersOf(holds []*packages.Package, holding map[string]bool, helper func(*ast.FuncDecl) bool) map[string]bool {
	if helper == nil {
		return nil
	}
	var callers [][]byte // source of holds, read when first needed
	helpers := map[string]bool{}
	seen := map[*packages.Package]bool{}
	var visit func(p *packages.Package, module string)
	visit = func(p *packages.Package, module string) {
		if seen[p] || p.Module == nil || p.Module.Path != module {
			return
		}
		seen[p] = true
		for _, imp := range p.Imports {
			visit(imp, module)
		}
		if holding[p.ID] {
			return
		}
		names := helperNames(p, helper)
		if len(names) > 0 && callers == nil {
			callers = sources(holds)
		}
		helpers[p.ID] = anyCalls(callers, names)
	}
	for _, p := range holds {
		if p.Module != nil {
			visit(p, p.Module.Path)
		}
	}
	return helpers
}

// helperNames lists the functions of p that helper accepts.
func helperNames(p *packages.Package, helper func(*ast.FuncDecl) bool) []string {
	var names []string
	for _, file := range p.GoFiles {
		src, err := os.ReadFile(file)
		// Parsing is dear: most files have no function that returns one string.
		if err != nil || !bytes.Contains(src, []byte(") string {")) {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, src, parser.SkipObjectResolution)
		if err != nil {
			continue // the type checker will say so, if it matters
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Name.IsExported() && helper(fn) {
				names = append(names, fn.Name.Name)
			}
		}
	}
	return names
}

func sources(pkgs []*packages.Package) [][]byte {
	all := [][]byte{}
	for _, p := range pkgs {
		for _, file := range p.GoFiles {
			if src, err := os.ReadFile(file); err == nil {
				all = append(all, src)
			}
		}
	}
	return all
}

// anyCalls reports whether one of the names is called as another package does.
func anyCalls(sources [][]byte, names []string) bool {
	for _, name := range names {
		for _, src := range sources {
			if bytes.Contains(src, []byte("."+name+"(")) {
				return true
			}
		}
	}
	return false
}
