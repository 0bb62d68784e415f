package lua

import (
	"maps"
	"slices"

	"github.com/yuin/gopher-lua/ast"
)

// touch is what one command does to one key on one path.
type touch struct {
	kind    Kind
	key     *value
	value   *value
	ttl     TTL
	against *value // the command itself compares (IFEQ)
	unclear bool   // the command has a condition that is no compare
	byCheck bool
	hash    bool
}

// A site is one command on one key at one place of the text, over all paths.
type site struct {
	effect Effect
	key    string
	// visits are the facts of the paths that came here: owned says that this
	// script gave the key its value.
	visits map[bool][]*state

	late    TTL // of the expiry that follows a create
	lateSet bool
	ttlYes  int // ways out of the script after an expiry followed
	ttlNo   int
}

type siteKey struct {
	call  *ast.FuncCallExpr
	where string
	kind  Kind
	key   string
}

// stand is what a path knows of the key's owner when it comes to a command.
type stand int

const (
	standBare    stand = iota
	standOwner         // the stored value equals a value from outside
	standCreated       // this script created the key
	standVacant        // nobody owns the key: it is missing, or this script just set it
	standLost          // the compare or the create failed, and the path goes on
	standUnclear
	stands
)

// touch records t and returns the number of its site, -1 for a key without name.
func (c *cmd) touch(t touch) int {
	in := c.in
	if t.key.ref().Kind == Unknown {
		in.incomplete()
		t.key = unknown("key")
		t.unclear = true
	}
	s := in.site(c, t)
	if in.dry == 0 {
		s.visit(c.st, t)
	}
	if t.key.op == opUnknown {
		return -1
	}
	return slices.Index(in.order, s)
}

// site finds or makes the site of t. Where paths bring different values or times,
// none is named.
func (in *interp) site(c *cmd, t touch) *site {
	e := Effect{Kind: t.kind, Key: t.key.ref(), Command: c.name, Pos: c.e.Line()}
	if t.kind == Create {
		e.Created = Creation{TTL: t.ttl, ByCheck: t.byCheck, Hash: t.hash}
		if t.value != nil {
			e.Created.Value = t.value.ref()
		}
	} else {
		e.TTL = t.ttl
		if t.kind == Set && t.value != nil {
			e.Value = t.value.ref()
		}
	}
	id := siteKey{c.e, in.where, t.kind, t.key.canon}
	s := in.sites[id]
	if s == nil {
		s = &site{key: t.key.canon, visits: map[bool][]*state{}, effect: e}
		in.sites[id] = s
		in.order = append(in.order, s)
		return s
	}
	if s.effect.TTL != e.TTL {
		s.effect.TTL = TTL{}
	}
	if s.effect.Value != e.Value {
		s.effect.Value = Ref{}
	}
	if s.effect.Created.TTL != e.Created.TTL {
		s.effect.Created.TTL = TTL{}
	}
	if s.effect.Created.Value != e.Created.Value {
		s.effect.Created.Value = Ref{}
	}
	return s
}

// visit notes the facts of a path.
func (s *site) visit(st *state, t touch) {
	facts := maps.Clone(st.atoms)
	switch {
	case t.against != nil && t.against.outside():
		facts["command"] = fact{kind: factOwner, keys: []string{s.key}, against: t.against, truth: true}
	case t.against != nil || t.unclear:
		facts["command"] = fact{kind: factUnclear, truth: true}
	}
	owned := st.written[s.key]
	v := &state{work: st.work, atoms: facts, written: map[string]bool{s.key: owned}}
	s.visits[owned] = cancel(s.visits[owned], v)
}

// standing weighs the facts of a path for one key.
func (st *state) standing(key string) (stand, fact) {
	var lost, unclear bool
	var owner *fact
	created := false
	for _, id := range slices.Sorted(maps.Keys(st.atoms)) {
		f := st.atoms[id]
		own := covers(f.keys, key)
		switch f.kind {
		case factOwner:
			switch {
			case own && f.truth:
				// A value from outside says more than a constant.
				if owner == nil || owner.against.constant() {
					owner = &f
				}
			case own:
				lost = true
			default:
				unclear = true
			}
		case factCreated:
			switch {
			case own && f.truth:
				created = true
			case own:
				lost = true
			default:
				unclear = true
			}
		case factExists:
			if !own {
				unclear = true
			}
		case factUnclear:
			unclear = true
		}
	}
	switch {
	case owner != nil:
		return standOwner, *owner
	case created:
		return standCreated, fact{}
	case st.absent(key) || st.written[key]:
		return standVacant, fact{}
	case unclear:
		return standUnclear, fact{}
	case lost:
		return standLost, fact{}
	}
	return standBare, fact{}
}

// guarded reports whether a condition on stored data stands on the path.
func (st *state) guarded() bool {
	for _, f := range st.atoms {
		if f.kind != factOutside {
			return true
		}
	}
	return false
}

// lateTTL notes the expiry that follows a create.
func (in *interp) lateTTL(site int, t TTL) {
	if in.dry > 0 {
		return
	}
	s := in.order[site]
	switch {
	case !s.lateSet:
		s.late, s.lateSet = t, true
	case s.late != t:
		s.late = TTL{}
	}
}

// exit ends paths: a create without expiry now stays without.
func (in *interp) exit(states []*state) {
	if in.dry > 0 {
		return
	}
	for _, st := range states {
		for id, m := range st.made {
			if f, ok := st.atoms[m.id]; m.gone || ok && !f.truth {
				continue
			}
			if m.ttl {
				in.order[id].ttlYes++
			} else {
				in.order[id].ttlNo++
			}
		}
	}
}

// tally is what the paths to a site know, counted.
type tally struct {
	stand    [stands]int
	open     bool  // a path without any condition on stored data
	against  []Ref // of the owner checks
	mismatch int
}

func (s *site) tally() (t tally) {
	for _, owned := range []bool{false, true} {
		for _, v := range s.visits[owned] {
			where, owner := v.standing(s.key)
			t.stand[where]++
			t.open = t.open || !v.guarded()
			if where == standOwner {
				t.against = append(t.against, owner.against.ref())
				if owner.mismatch {
					t.mismatch++
				}
			}
		}
	}
	return t
}

// verdict turns what all paths know into one effect; ok is false if none came.
func (s *site) verdict() (e Effect, ok bool) {
	if len(s.visits) == 0 {
		return e, false
	}
	e = s.effect
	t := s.tally()
	n := t.stand
	proved := n[standOwner] + n[standCreated]
	switch {
	case n[standUnclear] > 0:
		e.Unclear = true
	case proved > 0 && n[standBare]+n[standLost] > 0:
		// Some callers pass without a check, by what they ask for: a forced
		// release is not this package's to judge. A check whose two outcomes
		// both come here left no fact behind and is not among these.
		e.Unclear = true
	case n[standOwner] > 0:
		e.Checked = true
		if len(slices.Compact(t.against)) == 1 {
			e.Against = t.against[0]
		}
		e.NeverEqual = t.mismatch == n[standOwner]
	case n[standCreated] > 0:
		e.IfCreated = true
	case n[standBare] > 0:
	case e.Kind == Create && n[standLost] == 0:
		// That nobody owns the key is what a create asks for.
	default:
		// Only where the check failed, or where nobody owns the key: done on
		// purpose.
		e.Unclear = true
	}
	if e.Kind == Create {
		e.Created.Guarded = !t.open
		e.Created.TTL = s.finalTTL()
	}
	return e, true
}

func (s *site) finalTTL() TTL {
	t := s.effect.Created.TTL
	switch {
	case t.Kind != TTLNone || s.ttlYes == 0:
		return t
	case s.ttlNo == 0:
		return s.late
	}
	return TTL{}
}

// script gives the answer of the whole run.
func (in *interp) script() *Script {
	s := &Script{Complete: !in.partial}
	for _, site := range in.order {
		if e, ok := site.verdict(); ok {
			s.Effects = append(s.Effects, e)
		}
	}
	slices.SortStableFunc(s.Effects, func(a, b Effect) int { return a.Pos - b.Pos })
	return s
}
