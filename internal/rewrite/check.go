package rewrite

import (
	"errors"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"slices"
	"strconv"
	"time"
)

// debugging tells why a plan did not compile.
var debugging = os.Getenv("LOCKLINT_DEBUG_REWRITE") != ""

// A checker type-checks the package with the content of a file changed. What it
// imports is what the package imports already, and the few packages that a plan
// may add.
type checker struct {
	fset     *token.FileSet
	files    map[*ast.File]*ast.File // parsed anew
	imports  map[string]*types.Package
	unusable error
}

func (p *planner) checker() *checker {
	if p.check != nil {
		return p.check
	}
	c := &checker{fset: token.NewFileSet(), files: map[*ast.File]*ast.File{}, imports: map[string]*types.Package{}}
	p.check = c
	for _, f := range p.pass.Files {
		s := p.source(f)
		if s == nil {
			c.unusable = errors.New("a file of the package cannot be read")
			return c
		}
		parsed, err := parser.ParseFile(c.fset, s.tok.Name(), s.content, parser.SkipObjectResolution)
		if err != nil {
			c.unusable = err
			return c
		}
		c.files[f] = parsed
		for _, spec := range f.Imports {
			if pn := p.info.PkgNameOf(spec); pn != nil {
				c.imports[pathOf(spec)] = pn.Imported()
			}
		}
	}
	for _, pkg := range p.pass.Pkg.Imports() {
		if c.imports[pkg.Path()] == nil {
			c.imports[pkg.Path()] = pkg
		}
	}
	for _, l := range p.res.Locks {
		for _, m := range l.Members() {
			if m.Cmd == nil {
				continue
			}
			if pkg := libraryOf(p.info, m.Call); pkg != nil && c.imports[pkg.Path()] == nil {
				c.imports[pkg.Path()] = pkg
			}
		}
	}
	if c.imports["time"] == nil {
		c.imports["time"] = p.timeStub()
	}
	for path, pkg := range stubs() {
		if c.imports[path] == nil {
			c.imports[path] = pkg
		}
	}
	c.unusable = p.typeCheck(nil, nil)
	return c
}

// timeStub is package time with what a plan uses of it. It holds the Duration that
// the clients take: a driver may know no more of a package that is not imported
// directly, and the plans must not depend on the driver.
func (p *planner) timeStub() *types.Package {
	pkg := types.NewPackage("time", "time")
	effects := slices.Clone(p.res.BadArgs)
	for _, l := range p.res.Locks {
		for _, m := range l.Members() {
			effects = append(effects, m.Effect)
		}
	}
	for _, e := range effects {
		if e.Cmd == nil || e.Cmd.Client == nil {
			continue
		}
		fn := p.hasMethod(e.Cmd.Client, "SetNX")
		if fn == nil {
			continue
		}
		params := fn.Signature().Params()
		if t := params.At(params.Len() - 1).Type(); isDuration(t) {
			pkg.Scope().Insert(types.NewTypeName(token.NoPos, pkg, "Duration", t))
			for name, d := range map[string]time.Duration{"Second": time.Second, "Millisecond": time.Millisecond} {
				pkg.Scope().Insert(types.NewConst(token.NoPos, pkg, name, t, constant.MakeInt64(int64(d))))
			}
			break
		}
	}
	pkg.MarkComplete()
	return pkg
}

// compiles reports what is wrong with the package once the edits are made.
func (p *planner) compiles(s *source, edits []edit) error {
	c := p.checker()
	if c.unusable != nil {
		return c.unusable
	}
	f, err := parser.ParseFile(c.fset, s.tok.Name(), s.apply(edits), parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	return p.typeCheck(s.file, f)
}

func (p *planner) typeCheck(changed, with *ast.File) error {
	c := p.check
	var files []*ast.File
	for _, f := range p.pass.Files {
		if f == changed {
			files = append(files, with)
		} else {
			files = append(files, c.files[f])
		}
	}
	conf := types.Config{
		GoVersion:   p.pass.Pkg.GoVersion(),
		Importer:    c,
		Sizes:       p.pass.TypesSizes,
		FakeImportC: true,
	}
	_, err := conf.Check(p.pass.Pkg.Path(), c.fset, files, nil)
	return err
}

// Import is a types.Importer.
func (c *checker) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if pkg := c.imports[path]; pkg != nil {
		return pkg, nil
	}
	return nil, errors.New("no package " + strconv.Quote(path))
}

// stubs are the packages that a plan may import, with what it uses of them.
func stubs() map[string]*types.Package {
	str, err := types.Typ[types.String], types.Universe.Lookup("error").Type()
	bytes := types.NewSlice(types.Typ[types.Byte])
	vars := func(ts ...types.Type) *types.Tuple {
		var vs []*types.Var
		for _, t := range ts {
			vs = append(vs, types.NewVar(token.NoPos, nil, "", t))
		}
		return types.NewTuple(vs...)
	}
	make := func(path, name string, funcs map[string]*types.Signature) *types.Package {
		pkg := types.NewPackage(path, name)
		for n, sig := range funcs {
			pkg.Scope().Insert(types.NewFunc(token.NoPos, pkg, n, sig))
		}
		pkg.MarkComplete()
		return pkg
	}
	sig := func(in, out *types.Tuple) *types.Signature {
		return types.NewSignatureType(nil, nil, nil, in, out, false)
	}
	return map[string]*types.Package{
		"errors": make("errors", "errors", map[string]*types.Signature{"Is": sig(vars(err, err), vars(types.Typ[types.Bool]))}),
		"crypto/rand": make("crypto/rand", "rand", map[string]*types.Signature{
			"Text": sig(nil, vars(str)),
			"Read": sig(vars(bytes), vars(types.Typ[types.Int], err)),
		}),
		"encoding/hex": make("encoding/hex", "hex", map[string]*types.Signature{"EncodeToString": sig(vars(bytes), vars(str))}),
	}
}

// libraryOf returns the package of the client whose method is called.
func libraryOf(info *types.Info, call *ast.CallExpr) *types.Package {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	if fn, ok := info.Uses[sel.Sel].(*types.Func); ok {
		return fn.Pkg()
	}
	return nil
}
