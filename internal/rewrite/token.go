package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"go/version"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/locklint/locklint/internal/keyexpr"
	"github.com/locklint/locklint/internal/locks"
)

const readElsewhere = "the package reads what is stored under the key"

// tokens gives every acquisition a token of its own, and all that frees, renews or
// compares the lock with it. All of it must stand in the function that acquires.
func (d *draft) tokens() string {
	l := d.lock
	for _, m := range l.Others {
		switch m.Kind {
		case locks.Read, locks.Data, locks.Overwrite:
			return readElsewhere
		}
	}
	bare := d.bare()
	groups := map[*locks.Func]*stop{}
	var order []*stop
	at := func(m *locks.Member) *stop {
		g := groups[m.Fn]
		if g == nil {
			g = &stop{decl: m.Fn.Decl}
			groups[m.Fn] = g
			order = append(order, g)
		}
		return g
	}
	apart := false
	var creates []*locks.Member
	for _, cr := range l.Creates {
		root := cr.ValueAt()
		if cr.Derived() && (root == nil || d.outdated(cr)) {
			continue // the create it calls is one of the lock too
		}
		if !d.sharedValue(cr) && d.supplies(cr) {
			continue // its callers choose the value
		}
		if cr.Value.Kind == locks.ValueKept && !d.sharedValue(cr) {
			return "the key is created with several values"
		}
		apart = apart || cr.Derived() && root != cr.Effect
		creates = append(creates, cr)
		at(cr).creates = append(at(cr).creates, cr)
	}
	if len(creates) == 0 {
		return "the value is chosen in a helper"
	}
	others := slices.Concat(bare, l.Checked)
	others = slices.DeleteFunc(others, func(m *locks.Member) bool { return m.Derived() && m.At == nil })
	for _, m := range others {
		at(m).others = append(at(m).others, m)
	}
	for _, g := range order {
		apart = apart || len(g.creates) == 0 || len(g.others) == 0
	}
	plan := func() string { return d.along(&route{roots: order}) }
	if apart {
		plan = func() string {
			if d.try(func() string { return d.onMade(creates, others) }) == "" {
				return ""
			}
			return d.onHandle(creates, others)
		}
	}
	why := d.try(plan)
	if why != "" && why != decision {
		along := d.try(func() string {
			if r := d.route(creates, others, true); r != nil {
				return d.along(r)
			}
			return d.travel(creates[0], others)
		})
		if along == "" || apart {
			why = along
		}
	}
	if why != "" {
		return why
	}
	for _, cr := range creates {
		d.writers = d.writers || d.weak(cr) || d.sharedValue(cr)
		d.untold = d.untold || d.sharedValue(cr)
	}
	d.notes = append(d.notes, "store a fresh token for each acquisition")
	for _, cr := range l.Creates {
		if cr.ValueAt() != nil {
			d.yes(cr.ValueAt(), Value)
		}
	}
	for _, m := range bare {
		d.fixed(m)
	}
	return ""
}

// supplies reports whether a create stores what the calls of its function, which are
// creates of the lock too, give it.
func (d *draft) supplies(cr *locks.Member) bool {
	if cr.Value.Param == keyexpr.NoParam {
		return false
	}
	for _, o := range d.lock.Creates {
		for e := o.Effect; e.Step != nil; e = e.Step {
			if e.ValueSupplied() && e.Step.Call == cr.Call {
				return true
			}
		}
	}
	return false
}

// abandon removes the definition of a local that nothing reads any more. A right side
// that may do more than give a value stays, and is given to nobody.
func (d *draft) abandon(fn *ast.FuncDecl, v *types.Var) {
	if v.Parent() == nil || v.Pkg() == nil || v.Parent() == v.Pkg().Scope() {
		return
	}
	for _, id := range d.uses(fn, v) {
		used := !slices.ContainsFunc(d.edits, func(e edit) bool { return e.pos <= id.Pos() && id.End() <= e.end })
		if used {
			return
		}
	}
	def, ok := d.res.Defs().Single(v)
	if !ok || def.Rhs == nil {
		return
	}
	cur, ok := d.root.FindNode(def.Rhs)
	if !ok {
		return
	}
	as, ok := cur.Parent().Node().(*ast.AssignStmt)
	if !ok || as.Tok != token.DEFINE {
		return
	}
	if k, _ := cur.Parent().ParentEdge(); !inList(k) {
		return
	}
	if i := slices.IndexFunc(as.Lhs, func(l ast.Expr) bool { return d.variable(l) == v }); len(as.Lhs) == len(as.Rhs) && len(as.Lhs) > 1 && i >= 0 {
		// key, owner := …: the others stay.
		if !d.idle(as.Rhs[i]) {
			d.replace(as.Lhs[i].Pos(), as.Lhs[i].End(), "_")
			return
		}
		for _, side := range [][]ast.Expr{as.Lhs, as.Rhs} {
			if i == 0 {
				d.replace(side[0].Pos(), side[1].Pos(), "")
			} else {
				d.replace(side[i-1].End(), side[i].End(), "")
			}
		}
		return
	}
	for _, l := range as.Lhs {
		if !blank(l) && d.variable(l) != v {
			return
		}
	}
	if len(as.Rhs) != 1 {
		return
	}
	if !d.idle(as.Rhs[0]) {
		d.replace(as.Pos(), as.Rhs[0].Pos(), strings.Repeat("_, ", len(as.Lhs)-1)+"_ = ")
		return
	}
	d.cutWhole(as.Pos(), as.End())
}

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
