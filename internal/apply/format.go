package apply

import (
	"bytes"
	"go/ast"
	goformat "go/format"
	"go/parser"
	"go/token"
	"strconv"

	"golang.org/x/tools/go/ast/astutil"
)

// format formats a file and removes the imports that nothing refers to. Names are
// the names of packages by import path; an import whose name is not known stays.
func format(src []byte, names map[string]string) ([]byte, error) {
	fset := token.NewFileSet()
	// With object resolution, which lists the names that the file does not declare.
	file, err := parser.ParseFile(fset, "", src, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	ast.SortImports(fset, file)

	used := map[string]bool{}
	for _, id := range file.Unresolved {
		used[id.Name] = true
	}
	type named struct{ name, path string }
	var unused []named
	for _, spec := range file.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		explicit := ""
		if spec.Name != nil {
			explicit = spec.Name.Name
		}
		name := explicit
		if name == "" {
			name = names[path]
		}
		if name != "" && name != "." && name != "_" && !used[name] {
			unused = append(unused, named{explicit, path})
		}
	}
	for _, u := range unused {
		astutil.DeleteNamedImport(fset, file, u.name, u.path)
	}
	var b bytes.Buffer
	if err := goformat.Node(&b, fset, file); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
