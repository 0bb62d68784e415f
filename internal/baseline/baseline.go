// Package baseline remembers the findings of an old code base, so that only new
// ones are reported. A finding is known by what it is about (package, kind,
// function and code), not by its line: moved lines, and files moved within a
// package, change nothing.
package baseline

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/locklint/locklint/internal/atomicfile"
	"github.com/locklint/locklint/internal/output"
)

const version = 1

// An Entry is a finding, or several that have nothing to tell them apart.
type Entry struct {
	output.Identity
	Count int `json:"count"`
}

// A Baseline is a list of known findings.
type Baseline struct {
	Version  int     `json:"version"`
	Findings []Entry `json:"findings"`
}

// New makes the baseline of findings.
func New(findings []output.Finding) *Baseline {
	count := map[output.Identity]int{}
	for _, id := range output.Identify(findings) {
		count[id]++
	}
	b := &Baseline{Version: version, Findings: []Entry{}}
	for id, n := range count {
		b.Findings = append(b.Findings, Entry{id, n})
	}
	slices.SortFunc(b.Findings, func(x, y Entry) int { return strings.Compare(x.key(), y.key()) })
	return b
}

func (e Entry) key() string {
	return e.Package + "\x00" + e.Func + "\x00" + e.Rule + "\x00" + e.Code
}

// Read reads a baseline. Unknown fields and versions are errors.
func Read(file string) (*Baseline, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	var b Baseline
	if err := d.Decode(&b); err != nil {
		return nil, fmt.Errorf("%s: not a baseline: %w", file, err)
	}
	if b.Version != version {
		return nil, fmt.Errorf("%s: a baseline of version %d; this locklint reads version %d", file, b.Version, version)
	}
	return &b, nil
}

// Write writes the baseline as a whole or not at all.
func (b *Baseline) Write(file string) error {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false) // code is for people to read
	e.SetIndent("", "  ")
	if err := e.Encode(b); err != nil {
		return err
	}
	return atomicfile.Write(file, out.Bytes())
}

// Split tells new findings from those that the baseline knows. Gone counts the
// entries of the analysed packages that nothing answers to any more.
func (b *Baseline) Split(findings []output.Finding, analysed map[string]bool) (fresh, known []output.Finding, gone int) {
	left := map[output.Identity]int{}
	for _, e := range b.Findings {
		left[e.Identity] += e.Count
	}
	for i, id := range output.Identify(findings) {
		if left[id] > 0 {
			left[id]--
			known = append(known, findings[i])
		} else {
			fresh = append(fresh, findings[i])
		}
	}
	for id, n := range left {
		if n > 0 && analysed[id.Package] {
			gone += n
		}
	}
	return fresh, known, gone
}
