package rewrite

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
)

// join makes one plan of those that belong together: they free several locks by one
// command, declare their tokens in one place, or leave an import unused only when all
// of them are made. Each of the locks then carries all of the edits.
func (p *planner) join(plans []*Plan) {
	groups := map[*Plan][]*Plan{}
	for _, plan := range plans {
		groups[plan] = []*Plan{plan}
	}
	unite := func(list []*Plan) bool {
		var all []*Plan // in the order of the locks
		for _, plan := range plans {
			if slices.ContainsFunc(list, func(x *Plan) bool { return slices.Contains(groups[x], plan) }) {
				all = append(all, plan)
			}
		}
		if !p.unite(all) {
			return false
		}
		for _, plan := range all {
			groups[plan] = all
		}
		return true
	}
	for i, a := range plans {
		for _, b := range plans[:i] {
			if a.source == b.source && !slices.Contains(groups[a], b) && overlap(a.edits, b.edits) {
				unite([]*Plan{a, b})
			}
		}
	}
	for _, s := range p.sources {
		var own []*Plan
		for _, plan := range plans {
			if s != nil && plan.source == s {
				own = append(own, plan)
			}
		}
		for _, list := range p.strands(s, own) {
			unite(list)
		}
	}
}

// strands lists the plans that only together leave an import unused.
func (p *planner) strands(s *source, plans []*Plan) [][]*Plan {
	if len(plans) < 2 {
		return nil
	}
	var all []edit
	for _, plan := range plans {
		for _, e := range plan.edits {
			if !slices.Contains(all, e) {
				all = append(all, e)
			}
		}
	}
	all, ok := sortEdits(all)
	if !ok {
		return nil
	}
	f, err := parser.ParseFile(token.NewFileSet(), "", s.apply(all), 0)
	if err != nil {
		return nil
	}
	used := map[string]bool{}
	for _, id := range f.Unresolved {
		used[id.Name] = true
	}
	var out [][]*Plan
	for _, spec := range s.file.Imports {
		pn := p.info.PkgNameOf(spec)
		if pn == nil || pn.Name() == "_" || pn.Name() == "." || pn.Name() == "C" || used[pn.Name()] {
			continue
		}
		gone := s.withoutSpec(spec)
		if slices.ContainsFunc(all, func(e edit) bool { return e.imports && e.pos <= gone.pos && gone.end <= e.end }) {
			continue
		}
		var list []*Plan
		uses := p.uses(s.file, pn)
		for _, plan := range plans {
			takes := func(e edit) bool {
				return slices.ContainsFunc(uses, func(id *ast.Ident) bool { return e.pos <= id.Pos() && id.End() <= e.end })
			}
			if slices.ContainsFunc(plan.draft.edits, takes) {
				list = append(list, plan)
			}
		}
		if len(list) > 1 {
			out = append(out, list)
		}
	}
	return out
}

// unite gives several plans the edits of all of them; false if these cannot be made
// together.
func (p *planner) unite(plans []*Plan) bool {
	s := plans[0].source
	d := &draft{planner: p, source: s}
	frees := map[*ast.CallExpr][]sharedFree{}
	var calls []*ast.CallExpr
	for _, plan := range plans {
		if plan.source != s {
			return false
		}
		for _, f := range plan.draft.shared {
			if frees[f.m.Call] == nil {
				calls = append(calls, f.m.Call)
			}
			frees[f.m.Call] = append(frees[f.m.Call], f)
		}
		d.notes = append(d.notes, plan.draft.notes...)
		d.gone = append(d.gone, plan.draft.gone...)
		d.writers = d.writers || plan.draft.writers
	}
	var made [][]edit
	for _, plan := range plans {
		var own []edit
		for _, e := range plan.draft.edits {
			if len(frees[e.shared]) > 1 {
				continue // made anew for all of the locks
			}
			if slices.Contains(d.edits, e) || slices.Contains(own, e) {
				continue
			}
			for _, others := range made {
				for _, o := range others {
					if overlap([]edit{e}, []edit{o}) && !(declares(e) && declares(o)) {
						return false
					}
				}
			}
			own = append(own, e)
		}
		made = append(made, own)
		d.edits = append(d.edits, own...)
	}
	for _, call := range calls {
		if len(frees[call]) > 1 {
			if why := d.outOf(frees[call]); why != "" {
				return false
			}
		}
	}
	edits, ok := d.settle()
	if !ok {
		return false
	}
	edits, err := s.tidied(d.unused(merged(edits)))
	if err != nil || p.compiles(s, edits) != nil {
		return false
	}
	fix := d.fix(edits)
	for _, plan := range plans {
		plan.edits, plan.fix = edits, fix
	}
	return true
}

// merged makes one edit of those that put text in at one point.
func merged(edits []edit) []edit {
	var out []edit
	for _, e := range edits {
		if n := len(out); n > 0 && declares(e) && declares(out[n-1]) && out[n-1].pos == e.pos {
			out[n-1].text += e.text
			continue
		}
		out = append(out, e)
	}
	return out
}

// declares reports whether an edit puts whole statements before another.
func declares(e edit) bool {
	return e.pos == e.end && strings.HasSuffix(strings.TrimRight(e.text, " \t"), "\n")
}
