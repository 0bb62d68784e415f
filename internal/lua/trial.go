package lua

import (
	"maps"
	"strconv"
	"strings"
)

// A loop body is run once for all its turns: first, on trial, to learn which
// variables it changes; these are unknown in the run that counts.

// stable returns the states in which every variable and table that the body
// changes is unknown.
func (in *interp) stable(states []*state, body func([]*state) flow) []*state {
	in.dry++
	defer func() { in.dry-- }()
	cells, tables, written := map[int]bool{}, map[int]bool{}, map[string]bool{}
	for range maxTrials {
		before := len(cells) + len(tables) + len(written)
		partial := in.partial
		after := body(states).next
		in.partial = partial
		changed(states, after, cells, tables)
		for _, t := range after {
			for k := range t.written {
				if !strings.Contains(k, "'") { // KEYS[i] is another key in the next turn
					written[k] = true
				}
			}
		}
		if len(cells)+len(tables)+len(written) == before {
			return states
		}
		next := make([]*state, len(states))
		for i, s := range states {
			next[i] = s.forgetting(cells, tables)
			maps.Copy(next[i].written, written)
		}
		states = in.settle(next)
	}
	panic(giveUp{})
}

// changed collects what differs between the states before and after a body.
func changed(before, after []*state, cells, tables map[int]bool) {
	for _, s := range before {
		for _, t := range after {
			for c, v := range s.cells {
				if w, ok := t.cells[c]; ok && w.canon != v.canon {
					cells[c] = true
				}
			}
			for id, o := range s.heap {
				if t.heap[id] != o {
					tables[id] = true
				}
			}
		}
	}
}

// forgetting is the state with these variables and tables unknown.
func (s *state) forgetting(cells, tables map[int]bool) *state {
	n := s.clone()
	for c := range cells {
		if _, ok := n.cells[c]; ok {
			n.cells[c] = unknown("loop" + strconv.Itoa(c))
		}
	}
	for id := range tables {
		if _, ok := n.heap[id]; ok {
			n.heap[id] = &object{opaque: true}
		}
	}
	return n
}
