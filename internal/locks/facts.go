package locks

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/locklint/locklint/internal/keyexpr"
	"github.com/locklint/locklint/internal/rediscmd"
)

// A summary is what importers of a package know of one of its functions. It is an
// object fact: plain data in a fixed order, so that it encodes the same each time.
type summary struct {
	// Key is the key the function builds of its parameters, nil if it builds none.
	Key *keyFact
	// Effects are what the function does to keys that its parameters, its receiver
	// or constants make up.
	Effects []effectFact
	// Supplies are the parameters that end up as the value of a lock.
	Supplies []int
}

func (*summary) AFact() {}

func (s *summary) String() string {
	var parts []string
	if s.Key != nil {
		parts = append(parts, "key "+s.Key.key().String())
	}
	for _, e := range s.Effects {
		parts = append(parts, fmt.Sprintf("%s %s", e.Kind, e.Key.key()))
	}
	for _, i := range s.Supplies {
		parts = append(parts, fmt.Sprintf("token %d", i))
	}
	return strings.Join(parts, "; ")
}

type keyFact struct {
	Parts []partFact
	Names []string
}

type partFact struct {
	Lit   string
	Hole  bool
	Shape string
	Text  string
	Param int
	Path  string
	Call  bool
	Func  string
	Name  string
	Recv  keyFact
	Args  []keyFact
}

type effectFact struct {
	Kind       Kind
	Key        keyFact
	ValueKind  ValueKind
	ValueParam int
	ValueText  string
	TTLKind    rediscmd.TTLKind
	TTLDur     time.Duration
	TTLParam   int
	TTLPath    string
	OnlyIf     string
	Queue      Queue
	Weak       bool
	Script     bool
	Losers     bool
	Looped     bool
	Watched    bool
	Forced     bool
	Judged     bool
	Looked     bool
	Steps      int
	Func       string // full name of the function the command stands in
	Where      string // file:line of the command
}

func encodeKey(k keyexpr.Key) keyFact {
	out := keyFact{Names: slices.Clone(k.Names)}
	for _, p := range k.Parts {
		f := partFact{Lit: p.Lit}
		if h := p.Hole; h != nil {
			f.Hole, f.Shape, f.Text, f.Param, f.Path = true, h.Shape, h.Text, h.Param, h.Path
			if h.Call != nil {
				f.Call, f.Func, f.Name = true, h.Call.Func, h.Call.Name
				f.Recv = encodeKey(h.Call.Recv)
				for _, a := range h.Call.Args {
					f.Args = append(f.Args, encodeKey(a))
				}
			}
		}
		out.Parts = append(out.Parts, f)
	}
	return out
}

func (k keyFact) key() keyexpr.Key {
	out := keyexpr.Key{Names: k.Names}
	for _, f := range k.Parts {
		p := keyexpr.Part{Lit: f.Lit}
		switch {
		case f.Call:
			c := &keyexpr.Call{Func: f.Func, Name: f.Name, Recv: f.Recv.key()}
			for _, a := range f.Args {
				c.Args = append(c.Args, a.key())
			}
			p.Hole = c.Hole()
		case f.Hole:
			ident := f.Shape
			if f.Param != keyexpr.NoParam {
				ident = fmt.Sprintf("param%d%s", f.Param, f.Path)
			}
			p.Hole = &keyexpr.Hole{Ident: ident, Shape: f.Shape, Text: f.Text, Param: f.Param, Path: f.Path}
		}
		out.Parts = append(out.Parts, p)
	}
	return out
}

// exportFacts makes the summaries of the package's functions.
func (c *collector) exportFacts() {
	for _, f := range c.funcs {
		if f.Test || f.literal {
			continue
		}
		s := c.summaryOf(f)
		if s.Key != nil || len(s.Effects) > 0 || len(s.Supplies) > 0 {
			c.pass.ExportObjectFact(f.Obj, s)
		}
	}
}

// maxEffects bounds a summary: a function with more effects is no wrapper.
const maxEffects = 16

func (c *collector) summaryOf(f *Func) *summary {
	s := &summary{Supplies: c.supplied[f.Obj]}
	if k, ok := keyOf(c.own, f.Decl, f.Obj); ok {
		enc := encodeKey(k)
		s.Key = &enc
	}
	seen := map[string]bool{}
	for _, e := range f.Effects {
		if e.Kind == Data || e.Kind == Inspect || e.Kind == Overwrite || !e.Key.Portable() || len(s.Effects) >= maxEffects {
			continue
		}
		ef := c.encode(e)
		id := fmt.Sprintf("%d %s %s %s", ef.Kind, e.Key, ef.Where, ef.Func)
		if !seen[id] {
			seen[id] = true
			s.Effects = append(s.Effects, ef)
		}
	}
	return s
}

func (c *collector) encode(e *Effect) effectFact {
	f := effectFact{
		Kind: e.Kind, Key: encodeKey(e.Key),
		ValueKind: e.Value.Kind, ValueParam: e.Value.Param, ValueText: e.Value.Text,
		TTLKind: e.TTL.Kind, TTLDur: e.TTL.Dur, TTLParam: e.TTL.Param, TTLPath: e.TTL.Path,
		OnlyIf: e.OnlyIf, Queue: e.Queue, Weak: e.Weak, Script: e.Script, Losers: e.Losers, Looped: e.Looped,
		Watched: e.Watched, Forced: forced(e.Fn) || e.forced, Steps: steps(e),
		Judged: e.lock != nil || e.Root != nil && e.Root.lock != nil || e.Far != nil && e.Far.Judged,
		Looked: e.Kind == Create && c.looked(e),
	}
	switch {
	case e.Far != nil:
		f.Func, f.Where = e.Far.Func, e.Far.Where
	case e.Root != nil:
		f.Func, f.Where = e.Root.Fn.Obj.FullName(), c.where(e.Root.Pos())
	}
	if e.Value.Kind == ValueConst || e.Value.Param == keyexpr.NoParam {
		f.ValueParam = e.Value.Param
	}
	return f
}

// decode makes the effect of an imported function, as if it stood in this package.
func (c *collector) decode(fn *types.Func, f *effectFact) *Effect {
	e := &Effect{
		Kind: f.Kind, Fn: c.foreign(fn), Key: f.Key.key(),
		Value:  Value{Kind: f.ValueKind, Param: f.ValueParam, Text: f.ValueText},
		OnlyIf: f.OnlyIf, Queue: f.Queue, Weak: f.Weak, Script: f.Script, Losers: f.Losers, Looped: f.Looped, Watched: f.Watched,
		forced: f.Forced, farSteps: f.Steps, farLooked: f.Looked,
		Far: &Origin{Func: f.Func, Where: f.Where, Judged: f.Judged},
	}
	e.TTL.Kind, e.TTL.Dur, e.TTL.Param, e.TTL.Path = f.TTLKind, f.TTLDur, f.TTLParam, f.TTLPath
	return e
}

// foreign stands for a function of another package: its name counts as evidence.
func (c *collector) foreign(fn *types.Func) *Func {
	f := c.foreigners[fn]
	if f == nil {
		f = &Func{Obj: fn, Scope: keyexpr.ScopeOf(fn)}
		c.foreigners[fn] = f
	}
	return f
}

// imported returns the summary of a function of another package.
func (c *collector) imported(fn *types.Func) (*summary, bool) {
	if fn.Pkg() == nil || fn.Pkg() == c.pass.Pkg || rediscmd.LibraryOf(fn.Pkg().Path()) != nil {
		return nil, false
	}
	s := new(summary)
	ok := c.pass.ImportObjectFact(fn.Origin(), s)
	return s, ok
}

// importedKey returns the key that a function of another package builds.
func (c *collector) importedKey(fn *types.Func) (keyexpr.Key, bool) {
	s, ok := c.imported(fn)
	if !ok || s.Key == nil || !sameModule(c.pass, pathOf(fn)) {
		return keyexpr.Key{}, false
	}
	return s.Key.key(), true
}

// importedEffects returns the effects of a call of another package's function: by
// its summary, by those of the implementations of an interface's method, or by
// the shape of the method.
func (c *collector) importedEffects(f *Func, body ast.Node, call *ast.CallExpr, fn *types.Func) []*Effect {
	if out := c.seenEffects(f, body, call, fn); len(out) > 0 {
		return out
	}
	if e := c.settingEffect(f, body, call, fn); e != nil {
		return []*Effect{e}
	}
	return nil
}

// seenEffects returns what is known of a function of another package, or an interface.
func (c *collector) seenEffects(f *Func, body ast.Node, call *ast.CallExpr, fn *types.Func) []*Effect {
	if e := c.stepEffect(f, body, call, fn); e != nil {
		return []*Effect{e}
	}
	if knownLibrary(fn) {
		return nil
	}
	if s, ok := c.imported(fn); ok {
		return c.carryAll(fn, s, f, body, call)
	}
	if !isInterfaceMethod(fn) {
		return nil
	}
	impls, known := c.implementations(fn)
	var out []*Effect
	for _, impl := range impls {
		if s, ok := c.imported(impl); ok {
			out = append(out, c.carryAll(impl, s, f, body, call)...)
		}
	}
	if known {
		return dedupe(out)
	}
	if c.cfg.Interfaces {
		return c.shape(f, body, call, fn)
	}
	return nil
}

func (c *collector) carryAll(fn *types.Func, s *summary, f *Func, body ast.Node, call *ast.CallExpr) []*Effect {
	var out []*Effect
	for i := range s.Effects {
		if s.Effects[i].Steps >= maxSteps {
			continue
		}
		out = append(out, c.carry(c.decode(fn, &s.Effects[i]), f, body, call)...)
	}
	return out
}

func dedupe(es []*Effect) []*Effect {
	var out []*Effect
	for _, e := range es {
		if !slices.ContainsFunc(out, func(o *Effect) bool {
			return o.Kind == e.Kind && keyexpr.Same(o.Key, e.Key, nil)
		}) {
			out = append(out, e)
		}
	}
	return out
}

// foreignClusters are the keys that imported packages create or free under a key
// that can be told by its text: acquire and release may stand in two packages.
func (c *collector) foreignClusters() []*cluster {
	var out []*cluster
	facts := c.pass.AllObjectFacts()
	sort.Slice(facts, func(i, j int) bool { return objectName(facts[i].Object) < objectName(facts[j].Object) })
	for _, of := range facts {
		fn, ok := of.Object.(*types.Func)
		s, isSummary := of.Fact.(*summary)
		if !ok || !isSummary || fn.Pkg() == c.pass.Pkg {
			continue
		}
		for i := range s.Effects {
			ef := &s.Effects[i]
			if ef.Steps > 0 {
				continue
			}
			e := c.decode(fn, ef)
			e.floating = true
			out = append(out, &cluster{fn: e.Fn, key: e.Key, effects: []*Effect{e}, foreign: true})
		}
	}
	return out
}

func objectName(o types.Object) string {
	if fn, ok := o.(*types.Func); ok {
		return fn.FullName()
	}
	return o.Name()
}
