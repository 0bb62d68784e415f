// Package apply turns the fixes of findings into new contents of files, as the
// -fix flag of go vet does: fixes are merged, equal edits are made once, imports
// that become unused go, and the result is formatted.
package apply

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/locklint/locklint/internal/output"
)

// A Change is the new content of a file.
type Change struct {
	File     string
	Old, New []byte
}

// A Result is what applying comes to.
type Result struct {
	Changes []Change // in the order of the file names
	// Fixed are the findings whose fix is in the changes, Left the others.
	Fixed, Left []output.Finding
	// Errors say why a fix that was offered is not in the changes.
	Errors []error
}

// Plan works out the changes; it writes nothing. Of each finding the first fix is
// taken, as a whole or not at all. Unchanged tells whether content is still what
// was analysed of the file.
func Plan(findings []output.Finding, unchanged func(file string, content []byte) bool) *Result {
	p := &plan{unchanged: unchanged, files: map[string]*file{}}
	r := &Result{}
	for _, f := range findings {
		ok, err := p.add(f)
		if err != nil {
			r.Errors = append(r.Errors, err)
		}
		if ok {
			r.Fixed = append(r.Fixed, f)
		} else {
			r.Left = append(r.Left, f)
		}
	}

	var names []string
	for name := range p.files {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		f := p.files[name]
		if len(f.edits) == 0 {
			continue
		}
		fixed, err := format(applied(f.content, f.edits), f.names)
		if err != nil {
			r.fail(name, fmt.Errorf("%s: left alone, for the fix would break it: %v", name, err))
			continue
		}
		fixed = encodedAs(f.content, fixed)
		if !bytes.Equal(fixed, f.content) {
			r.Changes = append(r.Changes, Change{name, f.content, fixed})
		}
	}
	return r
}

// Write makes a change with write, for each file. What could not be written is
// left, and the other files are written all the same.
func (r *Result) Write(write func(name string, data []byte) error) {
	for _, c := range r.Changes {
		if err := write(c.File, c.New); err != nil {
			r.fail(c.File, err)
		}
	}
}

// fail moves the findings that have an edit in file from Fixed to Left.
func (r *Result) fail(file string, err error) {
	r.Errors = append(r.Errors, err)
	var fixed []output.Finding
	for _, f := range r.Fixed {
		if slices.ContainsFunc(f.Fixes[0].Edits, func(e output.Edit) bool { return e.File == file }) {
			r.Left = append(r.Left, f)
		} else {
			fixed = append(fixed, f)
		}
	}
	r.Fixed = fixed
	output.Sort(r.Left)
}

type plan struct {
	unchanged func(file string, content []byte) bool
	files     map[string]*file
}

// A file is one to be changed.
type file struct {
	content []byte
	edits   []output.Edit // ordered, not overlapping
	names   map[string]string
	err     error
}

// add merges the fix of f into what is planned.
func (p *plan) add(f output.Finding) (bool, error) {
	if len(f.Fixes) == 0 || f.Generated {
		return false, nil
	}
	if !f.Main {
		return false, fmt.Errorf("%s: left alone, it belongs to a dependency", f.Pos.Filename)
	}
	merged := map[string][]output.Edit{}
	for _, e := range f.Fixes[0].Edits {
		to, err := p.file(e.File, f)
		if err != nil {
			return false, err
		}
		edits, ok := merged[e.File]
		if !ok {
			edits = to.edits
		}
		if edits, ok = insert(edits, e); !ok {
			return false, fmt.Errorf("%s: the fix meets another one; run again to apply it", f.Pos)
		}
		merged[e.File] = edits
	}
	for name, edits := range merged {
		p.files[name].edits = edits
	}
	return true, nil
}

func (p *plan) file(name string, f output.Finding) (*file, error) {
	to := p.files[name]
	if to == nil {
		to = &file{names: f.ImportNames()}
		p.files[name] = to
		content, err := os.ReadFile(name)
		switch {
		case err != nil:
			to.err = err
		case !p.unchanged(name, content):
			to.err = fmt.Errorf("%s: left alone, it changed while it was analysed", name)
		}
		to.content = content
	}
	return to, to.err
}

// insert puts e among edits. An equal edit is there once; one that overlaps
// another fails.
func insert(edits []output.Edit, e output.Edit) ([]output.Edit, bool) {
	at := len(edits)
	for i, x := range edits {
		if x == e {
			return edits, true
		}
		if e.Start < x.End && x.Start < e.End || inside(e, x) || inside(x, e) {
			return nil, false
		}
		if e.Start < x.Start || e.Start == x.Start && e.End < x.End {
			at = min(at, i)
		}
	}
	return slices.Insert(slices.Clone(edits), at, e), true
}

// inside reports whether the insertion a stands within the text that b replaces.
func inside(a, b output.Edit) bool { return a.Start == a.End && b.Start < a.Start && a.Start < b.End }

func applied(content []byte, edits []output.Edit) []byte {
	var b strings.Builder
	last := 0
	for _, e := range edits {
		b.Write(content[last:e.Start])
		b.WriteString(e.New)
		last = e.End
	}
	b.Write(content[last:])
	return []byte(b.String())
}
