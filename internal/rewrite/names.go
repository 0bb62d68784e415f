package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"strconv"
)

// fresh returns a name that means nothing yet in a function, and reserves it.
func (d *draft) fresh(fn *ast.FuncDecl, name string) string {
	taken := d.taken[fn]
	if taken == nil {
		taken = map[string]bool{}
		d.taken[fn] = taken
		ast.Inspect(fn, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				taken[id.Name] = true
			}
			return true
		})
	}
	out := name
	for i := 2; taken[out]; i++ {
		out = name + strconv.Itoa(i)
	}
	taken[out] = true
	d.names = append(d.names, reserved{fn, out})
	return out
}

// A reserved name is one that a plan brings into a function.
type reserved struct {
	fn   *ast.FuncDecl
	name string
}

// release takes back the names that were reserved after the first n.
func (d *draft) release(n int) {
	for _, r := range d.names[n:] {
		delete(d.taken[r.fn], r.name)
	}
	d.names = d.names[:n]
}

// lookup is what a name means at a position.
func (p *planner) lookup(name string, pos token.Pos) types.Object {
	f := p.file(pos)
	if f == nil {
		return nil
	}
	scope := p.info.Scopes[f]
	if scope == nil {
		return nil
	}
	if in := scope.Innermost(pos); in != nil {
		scope = in
	}
	_, obj := scope.LookupParent(name, pos)
	return obj
}

// qualifier returns what stands before a name of the package path at a position:
// "redis.", or "" under a dot import. A package that is not imported, or whose
// name means something else there, is imported.
func (d *draft) qualifier(importPath, member string, pos token.Pos) (string, bool) {
	f := d.file(pos)
	s := d.source
	if s == nil {
		s = d.sourceAt(pos)
	}
	if f == nil || s == nil || s.file != f {
		return "", false
	}
	for _, spec := range f.Imports {
		if p, err := strconv.Unquote(spec.Path.Value); err != nil || p != importPath {
			continue
		}
		if spec.Name != nil && spec.Name.Name == "_" {
			continue
		}
		if spec.Name != nil && spec.Name.Name == "." {
			if o := d.lookup(member, pos); o != nil && o.Pkg() != nil && o.Pkg().Path() == importPath {
				return "", true
			}
			continue
		}
		pn := d.info.PkgNameOf(spec)
		if pn != nil && d.lookup(pn.Name(), pos) == pn {
			return pn.Name() + ".", true
		}
	}
	name, ok := d.importName(f, importPath, pos)
	if !ok {
		return "", false
	}
	if !d.addImport(s, importPath, name) {
		return "", false
	}
	return name + ".", true
}

// What a package is imported as where its own name is taken.
var secondNames = map[string]string{
	"errors":      "stderrors",
	"crypto/rand": "cryptorand",
	"redis":       "goredis",
}

// importName chooses the name of a new import: one that means nothing in the
// package, the file and at the position. It is the same for all plans of a file.
func (d *draft) importName(f *ast.File, importPath string, pos token.Pos) (string, bool) {
	base := baseName(importPath)
	second := secondNames[importPath]
	if second == "" {
		second = secondNames[base]
	}
	if second == "" {
		second = base + "pkg"
	}
	used := map[string]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			used[id.Name] = true
		}
		return true
	})
	for _, spec := range f.Imports {
		if pn := d.info.PkgNameOf(spec); pn != nil {
			used[pn.Name()] = true
		}
	}
	for _, name := range []string{base, second, second + "2"} {
		if !used[name] && d.pass.Pkg.Scope().Lookup(name) == nil {
			return name, true
		}
	}
	return "", false
}

func baseName(importPath string) string {
	switch importPath {
	case runtimePath:
		return "lockrt"
	}
	base := path.Base(importPath)
	if len(base) > 1 && base[0] == 'v' && base[1] >= '0' && base[1] <= '9' {
		base = path.Base(path.Dir(importPath))
	}
	if base == "go-redis" {
		return "redis"
	}
	return base
}

const runtimePath = "github.com/locklint/locklint/runtime"
