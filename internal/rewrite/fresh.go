package rewrite

import (
	"go/ast"
	"go/types"
	"go/version"
	"strings"
)

const uuidPath = "github.com/google/uuid"

// freshToken is the code that makes a new token: crypto/rand.Text from Go 1.24 on,
// else google/uuid where the package uses it, else 16 random bytes.
func (d *draft) freshToken(before ast.Stmt, name string, fn *ast.FuncDecl) (string, bool) {
	pos := before.Pos()
	f := d.file(pos)
	if f == nil {
		return "", false
	}
	s := d.source
	if s == nil {
		if s = d.sourceAt(pos); s == nil {
			return "", false
		}
		d.source = s
	}
	if d.goVersion(f) {
		q, ok := d.qualifier("crypto/rand", "Text", pos)
		return name + " := " + q + "Text()", ok
	}
	if d.imported(uuidPath) {
		if q, ok := d.qualifier(uuidPath, "NewString", pos); ok {
			return name + " := " + q + "NewString()", true
		}
	}
	rand, ok := d.qualifier("crypto/rand", "Read", pos)
	if !ok {
		return "", false
	}
	hex, ok := d.qualifier("encoding/hex", "EncodeToString", pos)
	if !ok {
		return "", false
	}
	indent := s.indent(pos)
	raw := d.fresh(fn, "random")
	err := d.fresh(fn, "errRandom")
	leave, ok := d.leave(before, err)
	if !ok {
		return "", false
	}
	return strings.Join([]string{
		raw + " := make([]byte, 16)",
		"if _, " + err + " := " + rand + "Read(" + raw + "); " + err + " != nil {",
		"\t" + leave,
		"}",
		name + " := " + hex + "EncodeToString(" + raw + ")",
	}, "\n"+indent), true
}

// leave is the statement that ends a function without random bytes: it returns the
// error where the function can, and panics as crypto/rand itself does since Go 1.24.
func (d *draft) leave(before ast.Stmt, err string) (string, bool) {
	cur, ok := d.root.FindNode(before)
	if !ok {
		return "", false
	}
	var results *types.Tuple
	for c := range cur.Enclosing((*ast.FuncLit)(nil), (*ast.FuncDecl)(nil)) {
		switch n := c.Node().(type) {
		case *ast.FuncLit:
			results = d.info.TypeOf(n).(*types.Signature).Results()
		case *ast.FuncDecl:
			results = d.info.Defs[n.Name].(*types.Func).Signature().Results()
		}
		break
	}
	panics := "panic(" + err + ")"
	if results.Len() == 0 || !isError(results.At(results.Len()-1).Type()) {
		return panics, true
	}
	var zeros []string
	for i := range results.Len() - 1 {
		z := zero(results.At(i).Type())
		if z == "" {
			return panics, true
		}
		zeros = append(zeros, z)
	}
	return "return " + strings.Join(append(zeros, err), ", "), true
}

func zero(t types.Type) string {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsBoolean != 0:
			return "false"
		case u.Info()&types.IsString != 0:
			return `""`
		case u.Info()&types.IsNumeric != 0:
			return "0"
		}
	case *types.Pointer, *types.Slice, *types.Map, *types.Chan, *types.Signature:
		return "nil"
	case *types.Interface:
		if _, param := types.Unalias(t).(*types.TypeParam); !param {
			return "nil"
		}
	}
	return ""
}

// goVersion reports whether a file may use crypto/rand.Text.
func (d *draft) goVersion(f *ast.File) bool {
	v := d.info.FileVersions[f]
	if v == "" {
		v = d.pass.Pkg.GoVersion()
	}
	if v == "" && d.pass.Module != nil && d.pass.Module.GoVersion != "" {
		v = "go" + d.pass.Module.GoVersion
	}
	return v != "" && version.Compare(v, "go1.24") >= 0
}

// imported reports whether a file of the package imports a path.
func (p *planner) imported(path string) bool {
	for _, f := range p.pass.Files {
		for _, spec := range f.Imports {
			if pathOf(spec) == path {
				return true
			}
		}
	}
	return false
}
