package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/locklint/locklint/internal/config"
	"github.com/locklint/locklint/internal/directive"
	"github.com/locklint/locklint/internal/locks"
	"github.com/locklint/locklint/internal/written"
)

// A planner makes the plans of one package.
type planner struct {
	pass    *analysis.Pass
	res     *locks.Result
	out     *Plans
	info    *types.Info
	root    inspector.Cursor
	sources map[*ast.File]*source
	taken   map[ast.Node]map[string]bool // names that plans brought into a function
	check   *checker
}

// all plans every lock, joins the plans that belong together and takes back those that
// meet otherwise.
func (p *planner) all() {
	for _, l := range p.res.Locks {
		d := newDraft(p, l)
		d.plan()
		p.out.plans[l] = d.finish()
	}
	p.families()
	var plans []*Plan
	for _, l := range p.res.Locks {
		if plan := p.out.plans[l]; len(plan.edits) > 0 && !slices.Contains(plans, plan) {
			plans = append(plans, plan)
		}
	}
	for _, e := range p.res.BadArgs {
		d := newDraft(p, nil)
		d.badArgs(e)
		plan := d.finish()
		p.out.bad[e.Call] = plan
		if len(plan.edits) > 0 {
			plans = append(plans, plan)
		}
	}
	p.join(plans)
	for _, plan := range p.meeting(plans) {
		*plan = *plan.without("its edits meet those of another lock")
	}
}

// meeting returns the plans that cannot be applied together with others: those
// that overlap, and those with which the package would not compile.
func (p *planner) meeting(plans []*Plan) []*Plan {
	out := map[*Plan]bool{}
	for i, a := range plans {
		for _, b := range plans[:i] {
			if a.source == b.source && overlap(a.edits, b.edits) {
				out[a], out[b] = true, true
			}
		}
	}
	byFile := map[*source][]*Plan{}
	var files []*source
	for _, plan := range plans {
		if out[plan] {
			continue
		}
		if byFile[plan.source] == nil {
			files = append(files, plan.source)
		}
		byFile[plan.source] = append(byFile[plan.source], plan)
	}
	for _, s := range files {
		var kept []edit
		for i, plan := range byFile[s] {
			all := slices.Clone(kept)
			for _, e := range plan.edits {
				if !slices.Contains(kept, e) {
					all = append(all, e)
				}
			}
			all, ok := sortEdits(all)
			if ok && (i == 0 || p.compiles(s, all) == nil) {
				kept = all
				continue
			}
			out[plan] = true
		}
	}
	var list []*Plan
	for _, plan := range plans {
		if out[plan] {
			list = append(list, plan)
		}
	}
	return list
}

// overlap reports whether two lists of edits cannot both be made: two ranges meet
// that are not equal edits, or two different texts go in at one point.
func overlap(a, b []edit) bool {
	if slices.Equal(a, b) {
		return false // one plan for both
	}
	for _, x := range a {
		for _, y := range b {
			if x == y || x.imports && y.imports {
				continue // the same edit, or imports that have places of their own
			}
			if x.pos < y.end && y.pos < x.end || x.pos == y.pos && (x.pos == x.end || y.pos == y.end) ||
				x.pos == x.end && y.pos < x.pos && x.pos < y.end || y.pos == y.end && x.pos < y.pos && y.pos < x.end {
				return true
			}
		}
	}
	return false
}

func (plan *Plan) without(why string) *Plan {
	out := &Plan{done: map[place]bool{}, why: map[place]string{}}
	for at := range plan.done {
		out.why[at] = why
	}
	return out
}

// A draft is a plan in the making.
type draft struct {
	*planner
	lock *locks.Lock

	source *source
	edits  []edit
	gone   []span // what is removed as a whole
	notes  []string

	suggested bool
	writers   bool
	untold    bool // no finding of the value tells of the writers
	done      map[place]bool
	why       map[place]string
	// kept are the tokens that were put into a variable, by the call that creates
	// the key, and the statement before which they are declared.
	kept   map[*ast.CallExpr]string
	keptAt map[*ast.CallExpr]ast.Stmt
	names  []reserved
	// shared are the commands that free other keys too.
	shared []sharedFree
	// made are the fields of handles that hold the token.
	made map[*types.TypeName]string
}

type span struct{ pos, end token.Pos }

func newDraft(p *planner, l *locks.Lock) *draft {
	return &draft{planner: p, lock: l, done: map[place]bool{}, why: map[place]string{}}
}

// plan drafts all parts of a lock.
func (d *draft) plan() {
	if why := d.forbidden(); why != "" {
		d.refuse(why)
		return
	}
	d.expiry()
	d.owner()
}

// forbidden says why no edit may be made for a lock.
func (d *draft) forbidden() string {
	for _, m := range d.lock.Members() {
		if why := d.untouchable(m.Pos()); why != "" {
			return "part of the lock is in " + why
		}
	}
	for _, m := range d.lock.Members() {
		if m.Call == nil {
			return "part of the lock is in a function of another package"
		}
		if d.keptAsIs(m) {
			return "a directive keeps part of the lock as it is"
		}
	}
	return ""
}

// keptAsIs reports whether a directive stands on the line of a command or on the one
// before: the code is meant to be as it is.
func (d *draft) keptAsIs(m *locks.Member) bool {
	f := d.file(m.Pos())
	if f == nil {
		return false
	}
	fset := d.pass.Fset
	first, last := fset.Position(m.Pos()).Line, fset.Position(m.End()).Line
	for _, i := range directive.Ignores(fset, f) {
		if i.Misspelled == "" && first-1 <= i.Line && i.Line <= last {
			return true
		}
	}
	return slices.ContainsFunc(directive.Nolints(fset, f), func(n directive.Nolint) bool {
		return n.From <= last && first <= n.To
	})
}

// untouchable says what a place is in that no fix may touch, or "".
func (p *planner) untouchable(pos token.Pos) string {
	fset := p.pass.Fset
	switch f := p.file(pos); {
	case f == nil:
		return ""
	case written.Generated(fset, f):
		return "generated code"
	case written.Copied(fset, pos):
		return "a file that cgo, or another program, rewrites before it is compiled: change it by hand"
	}
	return ""
}

// refuse notes for all faults of the lock why there is no fix.
func (d *draft) refuse(why string) {
	for _, m := range d.lock.Members() {
		for _, part := range []Part{Expiry, Value, Owner} {
			d.no(m.Effect, part, why)
		}
	}
}

func (d *draft) no(e *locks.Effect, part Part, why string) {
	if e == nil || e.Call == nil {
		return
	}
	at := place{e.Call.Pos(), part}
	if d.why[at] == "" {
		d.why[at] = why
	}
}

func (d *draft) yes(e *locks.Effect, part Part) { d.done[place{e.Call.Pos(), part}] = true }

// try runs a step that makes edits, and takes its edits back if it fails.
func (d *draft) try(step func() (why string)) string {
	edits, gone, suggested, src, writers := len(d.edits), len(d.gone), d.suggested, d.source, d.writers
	kept, keptAt, made := maps.Clone(d.kept), maps.Clone(d.keptAt), maps.Clone(d.made)
	names, shared := len(d.names), len(d.shared)
	why := step()
	if why == "" && d.suggested && !suggested && d.out.cfg.Fixes != config.FixesAll {
		why = decision
	}
	if why != "" {
		d.edits, d.gone, d.suggested, d.source, d.writers = d.edits[:edits], d.gone[:gone], suggested, src, writers
		d.kept, d.keptAt, d.made = kept, keptAt, made
		d.shared = d.shared[:shared]
		d.release(names)
	}
	return why
}

// decision: the step is offered with -fixes=all only.
const decision = "it holds a decision"

// replace notes an edit. All edits of a plan are in one file.
func (d *draft) replace(pos, end token.Pos, text string) bool {
	s := d.sourceAt(pos)
	if s == nil || d.source != nil && d.source != s {
		return false
	}
	d.source = s
	d.edits = append(d.edits, edit{pos: pos, end: end, text: text})
	return true
}

func (d *draft) insert(pos token.Pos, text string) bool { return d.replace(pos, pos, text) }

const severalFiles = "its parts stand in several files: change them together by hand"

func (p *planner) file(pos token.Pos) *ast.File {
	for _, f := range p.pass.Files {
		if f.FileStart <= pos && pos <= f.FileEnd {
			return f
		}
	}
	return nil
}

func (p *planner) sourceAt(pos token.Pos) *source {
	f := p.file(pos)
	if f == nil || p.untouchable(pos) != "" {
		return nil
	}
	return p.source(f)
}

// finish turns the draft into a plan: imports, format, and the proof that the
// package compiles.
func (d *draft) finish() *Plan {
	plan := &Plan{Safe: !d.suggested, Writers: d.writers, untold: d.untold, source: d.source, done: d.done, why: d.why}
	if len(d.edits) == 0 {
		return plan
	}
	edits, ok := d.settle()
	if !ok {
		return plan.without("the rewritten parts of the lock meet in the code")
	}
	edits = d.unused(edits)
	edits, err := d.source.tidied(edits)
	if err == nil {
		err = d.compiles(d.source, edits)
	}
	if err != nil {
		if debugging {
			plan = plan.without("the rewritten code would not compile: " + err.Error())
		} else {
			plan = plan.without("the rewritten code would not compile")
		}
		return plan
	}
	plan.edits = edits
	plan.draft = d
	plan.fix = d.fix(edits)
	return plan
}

// fix is the fix of a plan with these edits.
func (d *draft) fix(edits []edit) analysis.SuggestedFix {
	fix := analysis.SuggestedFix{Message: d.message()}
	for _, e := range edits {
		fix.TextEdits = append(fix.TextEdits, analysis.TextEdit{Pos: e.pos, End: e.end, NewText: []byte(e.text)})
	}
	return fix
}

// settle orders the edits and drops those inside text that is removed anyway.
func (d *draft) settle() ([]edit, bool) {
	var edits []edit
	for _, e := range d.edits {
		inside := slices.ContainsFunc(d.gone, func(s span) bool {
			return s.pos <= e.pos && e.end <= s.end && !(s.pos == e.pos && s.end == e.end)
		})
		if !inside {
			edits = append(edits, e)
		}
	}
	return sortEdits(edits)
}

func (d *draft) message() string {
	var parts []string
	for _, n := range d.notes {
		if !slices.Contains(parts, n) {
			parts = append(parts, n)
		}
	}
	text := strings.Join(parts, ", ")
	if text == "" {
		return "Make the lock right"
	}
	text = strings.ToUpper(text[:1]) + text[1:]
	if d.writers {
		text += "; deploy all programs that use this key together"
	}
	return text
}
