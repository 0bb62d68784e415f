package rewrite

import (
	"go/ast"
	"go/token"
	"slices"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/locklint/locklint/internal/locks"
)

// common returns the statement before which a token can be declared so that all of
// the nodes see it: in the innermost list of statements around them. creates are those
// that acquire, moved is what is evaluated there instead.
func (d *draft) common(nodes, creates []ast.Node, moved ...ast.Node) (ast.Stmt, string) {
	var shared []inspector.Cursor // lists, innermost first
	for i, n := range nodes {
		cur, ok := d.root.FindNode(n)
		if !ok {
			return nil, "its place is not known"
		}
		var own []inspector.Cursor
		for c := range cur.Enclosing() {
			if k, _ := c.ParentEdge(); inList(k) {
				own = append(own, c)
			}
		}
		if i == 0 {
			shared = own
			continue
		}
		var both []inspector.Cursor
		for _, c := range shared {
			for _, o := range own {
				if c.Parent() == o.Parent() {
					if o.Node().Pos() < c.Node().Pos() {
						c = o
					}
					both = append(both, c)
				}
			}
		}
		shared = both
	}
	if len(shared) == 0 {
		return nil, "nothing surrounds the whole of it"
	}
	at := shared[0]
	for _, cr := range slices.Concat(creates, moved) {
		cur, _ := d.root.FindNode(cr)
		for c := range cur.Enclosing() {
			if c == at.Parent() || c.Node() == at.Node() {
				break
			}
			if lit, ok := c.Node().(*ast.FuncLit); ok && !d.inPlace(lit) {
				return nil, "the acquisition runs in a function of its own"
			}
		}
	}
	frees := slices.DeleteFunc(slices.Clone(nodes), func(n ast.Node) bool { return slices.Contains(creates, n) || slices.Contains(moved, n) })
	return at.Node().(ast.Stmt), d.oneHolder(at.Node().(ast.Stmt), creates, frees)
}

// hoisted keeps the value that is made inside the call that creates the key: in a
// variable, declared before, that the call and the release share.
func (d *draft) hoisted(cr *locks.Member, e ast.Expr, m *locks.Member) (string, string) {
	if name, ok := d.kept[cr.Call]; ok {
		if d.lookupKept(cr.Call, m.Pos()) {
			return name, ""
		}
		return "", "the token is not in scope there"
	}
	if cr.Derived() && !cr.ValueSupplied() || !d.comparable(e) {
		return "", "the stored value cannot be compared"
	}
	if is[*ast.SliceExpr](ast.Unparen(e)) {
		return "", "the stored value may be another by then"
	}
	return d.hoist(cr, e, nil)
}

// hoist declares the value of a create in a variable before it, which all that frees
// the lock in that function sees, and the literals too.
func (d *draft) hoist(cr *locks.Member, e ast.Expr, lits []*ast.CompositeLit) (string, string) {
	nodes := []ast.Node{e} // it may stand in the words of the command, made before
	for _, lit := range lits {
		nodes = append(nodes, lit)
	}
	for _, x := range d.lock.Creates {
		if x.Fn == cr.Fn {
			if x != cr {
				return "", "the key is created in several places"
			}
			nodes = append(nodes, x.Call)
		}
	}
	for _, x := range d.bare() {
		if x.Fn == cr.Fn {
			nodes = append(nodes, x.Call)
		}
	}
	before, why := d.common(nodes, []ast.Node{cr.Call}, e)
	if why != "" {
		return "", why
	}
	text, ok := d.carry(e, before.Pos())
	if !ok {
		return "", "the value cannot be made before the key is created"
	}
	name := d.fresh(function(cr.Effect), "token")
	s := d.sourceAt(before.Pos())
	if s == nil || !d.insert(before.Pos(), name+" := "+text+"\n"+s.indent(before.Pos())) || !d.replace(e.Pos(), e.End(), name) {
		return "", severalFiles
	}
	if d.kept == nil {
		d.kept, d.keptAt = map[*ast.CallExpr]string{}, map[*ast.CallExpr]ast.Stmt{}
	}
	d.kept[cr.Call], d.keptAt[cr.Call] = name, before
	d.notes = append(d.notes, "keep the token")
	if cr.ValueAt() != nil && cr.Value.Kind == locks.ValueFresh {
		d.yes(cr.ValueAt(), Value)
	}
	return name, ""
}

func (d *draft) lookupKept(call *ast.CallExpr, pos token.Pos) bool {
	cur, ok := d.root.FindNode(d.keptAt[call])
	if !ok {
		return false
	}
	block := cur.Parent().Node()
	return pos >= cur.Node().Pos() && block.Pos() <= pos && pos < block.End()
}
