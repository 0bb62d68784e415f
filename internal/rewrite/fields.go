package rewrite

import (
	"go/ast"
	"go/types"
)

// give adds a field to a literal.
func (d *draft) give(lit *ast.CompositeLit, field, text string) bool {
	s := d.sourceAt(lit.Pos())
	if s == nil {
		return false
	}
	if len(lit.Elts) == 0 {
		return d.insert(lit.Rbrace, field+": "+text)
	}
	last := lit.Elts[len(lit.Elts)-1]
	if _, keyed := last.(*ast.KeyValueExpr); keyed {
		text = field + ": " + text
	}
	if s.tok.Line(last.End()) != s.tok.Line(lit.Rbrace) {
		return d.insert(last.End(), ",\n"+s.indent(last.Pos())+text)
	}
	return d.insert(last.End(), ", "+text)
}

// addField adds a field to a struct type of the package, under a name that it is not
// known to have.
func (d *draft) addField(typ *types.TypeName, of, comment string) (string, string) {
	st, why := d.structOf(typ)
	if why != "" {
		return "", why
	}
	field := ""
	for _, name := range []string{"token", "lockToken"} {
		if !d.means(typ, name) {
			field = name
			break
		}
	}
	last := st.Fields.List[len(st.Fields.List)-1]
	s := d.sourceAt(last.Pos())
	if field == "" || s == nil {
		return "", noHandle
	}
	at, text := s.after(last), "\n"+s.indent(last.Pos())+field+" "+of+" // "+comment
	if s.tok.Line(last.End()) == s.tok.Line(st.Fields.Closing) {
		at, text = last.End(), "; "+field+" "+of
	}
	if !d.insert(at, text) {
		return "", severalFiles
	}
	return field, ""
}
