package load

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// isStandard reports whether p belongs to the standard library: it has no module
// and no dot in the first element of its path.
func isStandard(p *packages.Package) bool {
	first, _, _ := strings.Cut(p.PkgPath, "/")
	return p.Module == nil && first != "command-line-arguments" && !strings.ContainsAny(first, "._")
}

// addErrors adds the errors of all packages that the roots reach.
func (prog *Program) addErrors(roots []*packages.Package) {
	packages.Visit(roots, nil, func(p *packages.Package) {
		for _, e := range p.Errors {
			if !slices.Contains(prog.Errors, e) {
				prog.Errors = append(prog.Errors, e)
			}
		}
	})
}

// listError drops what go/packages puts around the text of the go command.
func listError(err error) error {
	text := strings.TrimSpace(err.Error())
	if _, after, ok := strings.Cut(text, "stderr: "); ok {
		text = strings.TrimSpace(after)
	}
	return errors.New(text)
}

func sortedKeys(m map[string]bool) []string { return slices.Sorted(maps.Keys(m)) }
