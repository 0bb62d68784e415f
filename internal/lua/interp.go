package lua

import (
	"strconv"

	"github.com/yuin/gopher-lua/ast"
)

// interp runs one script.
type interp struct {
	cells   int // cells handed out
	globals map[string]int
	tables  map[string]int // by place
	steps   int
	depth   int
	sites   map[siteKey]*site
	order   []*site
	dry     int  // above 0: a loop's trial run, which records nothing
	partial bool // the script does more than the sites tell

	closures int // functions made so far
	calls    []*ast.FunctionExpr
	// where tells apart the places from which one node is run: the calls and
	// loop turns around it.
	where string
	nodes map[any]int
	// caught takes the states of errors inside a pcall.
	caught *[]*state
	raised int // errors so far
}

func newInterp() *interp {
	return &interp{globals: map[string]int{}, tables: map[string]int{}, sites: map[siteKey]*site{}, nodes: map[any]int{}}
}

// enter counts work and depth; leave undoes the depth.
func (in *interp) enter() {
	in.steps++
	in.depth++
	if in.steps > maxSteps || in.depth > maxDepth {
		panic(giveUp{})
	}
}

func (in *interp) leave() { in.depth-- }

// incomplete notes that the script may do more than what is recorded.
func (in *interp) incomplete() { in.partial = true }

// here names a node at the place it is run from.
func (in *interp) here(node any) string {
	id, ok := in.nodes[node]
	if !ok {
		id = len(in.nodes) + 1
		in.nodes[node] = id
	}
	return strconv.Itoa(id) + in.where
}

// within runs f with a longer place.
func (in *interp) within(place string, f func()) {
	old := in.where
	in.where += "/" + place
	f()
	in.where = old
}

// declare makes a variable in sc.
func (in *interp) declare(sc *scope, name string) int {
	in.cells++
	sc.names[name] = in.cells
	return in.cells
}

// cell finds a variable: local, else global, made if need be.
func (in *interp) cell(sc *scope, name string) int {
	if c, ok := sc.lookup(name); ok {
		return c
	}
	if c, ok := in.globals[name]; ok {
		return c
	}
	in.cells++
	in.globals[name] = in.cells
	return in.cells
}
