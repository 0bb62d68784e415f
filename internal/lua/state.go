package lua

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// A scope maps names to cells; it follows the text, so all states share it.
type scope struct {
	outer *scope
	names map[string]int
}

func newScope(outer *scope) *scope { return &scope{outer: outer, names: map[string]int{}} }

func (s *scope) lookup(name string) (cell int, ok bool) {
	for ; s != nil; s = s.outer {
		if c, ok := s.names[name]; ok {
			return c, true
		}
	}
	return 0, false
}

// snapshot copies the chain: a function keeps the variables it was made among,
// whatever is declared later under the same name.
func (s *scope) snapshot() *scope {
	if s == nil {
		return nil
	}
	return &scope{outer: s.outer.snapshot(), names: maps.Clone(s.names)}
}

// A state is what is known at one point on one path.
type state struct {
	cells map[int]*value
	heap  map[int]*object
	atoms map[string]fact
	// epoch counts writes, so that reads before and after one are two values.
	epoch int
	// written holds the keys that this script gave a value.
	written map[string]bool
	// made lists the creates on this path whose expiry is still open.
	made map[int]made
	// work counts what copies of states cost, over the whole run.
	work *int
}

// made is a create on a path, and whether an expire followed.
type made struct {
	key  string
	id   string // its created fact
	ttl  bool
	gone bool
}

// A fact is a condition that holds, or does not, on a path.
type fact struct {
	kind     factKind
	keys     []string
	against  *value
	mismatch bool
	truth    bool
}

type factKind uint8

const (
	factOutside factKind = iota // about KEYS, ARGV and constants alone
	factUnclear                 // about stored data, not understood
	factOwner                   // the key's value equals against
	factExists                  // the key (or a field) is there
	factCreated                 // this script's create of the key succeeded
)

func newState() *state {
	return &state{
		work:    new(int),
		cells:   map[int]*value{},
		heap:    map[int]*object{},
		atoms:   map[string]fact{},
		written: map[string]bool{},
		made:    map[int]made{},
	}
}

func (s *state) clone() *state {
	s.pay()
	return &state{
		work:    s.work,
		cells:   maps.Clone(s.cells),
		heap:    maps.Clone(s.heap),
		atoms:   maps.Clone(s.atoms),
		epoch:   s.epoch,
		written: maps.Clone(s.written),
		made:    maps.Clone(s.made),
	}
}

// pay counts one pass over the state and gives up when there were too many.
func (s *state) pay() {
	*s.work += 8 + len(s.cells) + len(s.heap) + len(s.atoms) + len(s.written) + len(s.made)
	if *s.work > maxWork {
		panic(giveUp{})
	}
}

// know adds a fact and returns nil if it contradicts what is known. The
// receiver is not changed.
func (s *state) know(id string, f fact) *state {
	if old, ok := s.atoms[id]; ok {
		if old.truth != f.truth {
			return nil
		}
		return s
	}
	n := s.clone()
	n.atoms[id] = f
	return n
}

// absent reports whether the key is known to be missing (or to have no owner
// field) and the script has not written it since.
func (s *state) absent(key string) bool {
	if s.written[key] {
		return false
	}
	for _, f := range s.atoms {
		if f.kind == factExists && !f.truth && covers(f.keys, key) {
			return true
		}
	}
	return false
}

// covers reports whether a fact about keys holds for key.
func covers(keys []string, key string) bool {
	for _, k := range keys {
		if k == key || k == everyKey && strings.HasPrefix(key, "KEYS[") {
			return true
		}
	}
	return false
}

const everyKey = "KEYS[*]"

// body is the normal form of all of a state but its facts.
func (s *state) body() string {
	s.pay()
	var b strings.Builder
	for _, c := range slices.Sorted(maps.Keys(s.cells)) {
		b.WriteString(strconv.Itoa(c))
		b.WriteByte('=')
		b.WriteString(s.cells[c].canon)
		b.WriteByte(';')
	}
	for _, t := range slices.Sorted(maps.Keys(s.heap)) {
		o := s.heap[t]
		b.WriteString("\nt" + strconv.Itoa(t) + strconv.FormatBool(o.opaque))
		for _, f := range slices.Sorted(maps.Keys(o.fields)) {
			b.WriteString(strconv.Quote(f) + "=" + o.fields[f].canon + ";")
		}
	}
	b.WriteString("\n" + strconv.Itoa(s.epoch))
	for _, k := range slices.Sorted(maps.Keys(s.written)) {
		b.WriteString(";" + k)
	}
	for _, c := range slices.Sorted(maps.Keys(s.made)) {
		m := s.made[c]
		b.WriteString("\nm" + strconv.Itoa(c) + m.key + m.id + strconv.FormatBool(m.ttl) + strconv.FormatBool(m.gone))
	}
	return b.String()
}

// settle merges states that are equal but for facts that cancel out, and keeps
// their number below the limit.
func (in *interp) settle(states []*state) []*state {
	if len(states) < 2 {
		return states
	}
	groups := map[string][]*state{}
	var order []string
	for _, s := range states {
		b := s.body()
		if groups[b] == nil {
			order = append(order, b)
		}
		groups[b] = cancel(groups[b], s)
	}
	var out []*state
	for _, b := range order {
		out = append(out, groups[b]...)
	}
	if len(out) > maxStates {
		out = []*state{join(out)}
	}
	return out
}

// cancel adds s to states of equal body. Two states that differ in the truth of
// one fact become one state without it; a state that knows more than another is
// part of the other.
func cancel(states []*state, s *state) []*state {
	for i, t := range states {
		m := merge(s, t)
		if m == nil {
			continue
		}
		rest := slices.Delete(slices.Clone(states), i, i+1)
		return cancel(rest, m)
	}
	return append(states, s)
}

func merge(s, t *state) *state {
	if len(s.atoms) > len(t.atoms) {
		s, t = t, s
	}
	opposite := ""
	for id, f := range s.atoms {
		g, ok := t.atoms[id]
		if !ok {
			return nil
		}
		if f.truth != g.truth {
			if opposite != "" {
				return nil
			}
			opposite = id
		}
	}
	if opposite == "" {
		return s // s knows less: it covers t
	}
	if len(s.atoms) != len(t.atoms) {
		return nil
	}
	m := s.clone()
	delete(m.atoms, opposite)
	return m
}

// join makes one state of many: what they do not share becomes unknown.
func join(states []*state) *state {
	m := states[0].clone()
	for _, s := range states[1:] {
		for c, v := range m.cells {
			w, ok := s.cells[c]
			switch {
			case !ok:
				delete(m.cells, c)
			case w.canon != v.canon:
				m.cells[c] = unknown("cell" + strconv.Itoa(c))
			}
		}
		for t, o := range m.heap {
			p, ok := s.heap[t]
			switch {
			case !ok:
				delete(m.heap, t)
			case o != p:
				m.heap[t] = &object{opaque: true}
			}
		}
		for id, f := range m.atoms {
			if g, ok := s.atoms[id]; !ok || g.truth != f.truth {
				delete(m.atoms, id)
			}
		}
		m.epoch = max(m.epoch, s.epoch)
		for k := range s.written {
			m.written[k] = true
		}
		for c, x := range s.made {
			if y, ok := m.made[c]; ok {
				x.ttl = x.ttl && y.ttl
			}
			m.made[c] = x
		}
	}
	m.epoch++
	// What was lost may have been an owner check.
	m.atoms["joined"] = fact{kind: factUnclear, truth: true}
	return m
}
