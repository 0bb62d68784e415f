package load

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
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

// addErrors adds the errors of all packages that the roots reach. Where an import
// cannot be found, what the type checker then misses is left out.
func (prog *Program) addErrors(roots []*packages.Package) {
	unlisted := map[string]bool{} // directories with such an import
	for _, e := range prog.Errors {
		unlisted[dirOf(e)] = true
	}
	packages.Visit(roots, nil, func(p *packages.Package) {
		ours := slices.ContainsFunc(p.Errors, func(e packages.Error) bool {
			return e.Kind == packages.ParseError || e.Kind == packages.TypeError
		})
		for _, e := range p.Errors {
			// The compiler, which made export data, says what the type checker says.
			again := ours && strings.HasPrefix(e.Msg, "# ") || e.Kind == packages.TypeError && unlisted[dirOf(e)]
			if !again && !slices.Contains(prog.Errors, e) {
				prog.Errors = append(prog.Errors, e)
			}
		}
	})
}

// dirOf is the directory in which an error stands.
func dirOf(e packages.Error) string {
	if e.Pos == "" || e.Pos == "-" {
		return ""
	}
	dir := filepath.Dir(e.Pos)
	if abs, err := filepath.Abs(dir); err == nil {
		return abs // the go command says relative ones
	}
	return dir
}

// listError drops what go/packages puts around the text of the go command.
func listError(err error) error {
	text := strings.TrimPrefix(err.Error(), "err: ")
	before, after, _ := strings.Cut(text, "stderr:")
	if text = strings.TrimSpace(after); text == "" {
		text = strings.TrimSuffix(strings.TrimSpace(before), ":")
	}
	return errors.New(text)
}

// inModule reports whether the current directory belongs to a module or workspace.
func inModule() bool {
	dir, err := os.Getwd()
	if err != nil {
		return true // no reason to say that it does not
	}
	for {
		for _, name := range []string{"go.mod", "go.work"} {
			if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
				return true
			}
		}
		if dir == filepath.Dir(dir) {
			return false
		}
		dir = filepath.Dir(dir)
	}
}

func sortedKeys(m map[string]bool) []string { return slices.Sorted(maps.Keys(m)) }
