package load

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/packages"
)

// A found says what the source of packages has.
type found struct {
	mu         sync.Mutex
	interfaces map[*packages.Package]bool // with one of the methods
	comments   map[*packages.Package]bool // the comment
}

// search looks for the methods and the comment of m in the files of all packages
// outside the standard library; the clients have them all and are left out. It is
// a search for bytes: only a file that has the name of a method is parsed.
func search(listed []*packages.Package, clients map[string]bool, m MayHold) *found {
	f := &found{interfaces: map[*packages.Package]bool{}, comments: map[*packages.Package]bool{}}
	if len(m.Methods) == 0 && m.Comment == "" {
		return f
	}
	s := searcher{prefixes: shortest(m.Methods), methods: set(m.Methods), comment: []byte(m.Comment)}
	queue := make(chan *packages.Package)
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			var buf bytes.Buffer
			for p := range queue {
				f.add(p, s, &buf)
			}
		})
	}
	packages.Visit(listed, nil, func(p *packages.Package) {
		if !clients[p.PkgPath] && !isStandard(p) {
			queue <- p
		}
	})
	close(queue)
	wg.Wait()
	return f
}

func (f *found) add(p *packages.Package, s searcher, buf *bytes.Buffer) {
	var iface, comment bool
	for _, file := range p.GoFiles {
		if !read(file, buf) {
			continue // the type checker will say what is wrong with it, if it matters
		}
		iface = iface || s.hasInterface(file, buf.Bytes())
		comment = comment || len(s.comment) > 0 && bytes.Contains(buf.Bytes(), s.comment)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if iface {
		f.interfaces[p] = true
	}
	if comment {
		f.comments[p] = true
	}
}

// read reads a file into buf, which is reused.
func read(file string, buf *bytes.Buffer) bool {
	f, err := os.Open(file)
	if err != nil {
		return false
	}
	defer f.Close()
	buf.Reset()
	_, err = buf.ReadFrom(f)
	return err == nil
}

type searcher struct {
	prefixes []string // what the names of the methods begin with
	methods  map[string]bool
	comment  []byte
}

// hasInterface reports whether the file has an interface with one of the methods.
func (s *searcher) hasInterface(file string, src []byte) bool {
	if !slices.ContainsFunc(s.prefixes, func(m string) bool { return bytes.Contains(src, []byte(m)) }) {
		return false
	}
	f, _ := parser.ParseFile(token.NewFileSet(), file, src, parser.SkipObjectResolution)
	if f == nil {
		return false
	}
	has := false
	ast.Inspect(f, func(n ast.Node) bool {
		if i, ok := n.(*ast.InterfaceType); ok {
			for _, m := range i.Methods.List {
				has = has || len(m.Names) > 0 && s.methods[m.Names[0].Name]
			}
		}
		return !has
	})
	return has
}

// shortest leaves out each name that begins with another one: who finds SetIf has
// found SetIfAbsent too.
func shortest(names []string) []string {
	var keep []string
	for _, name := range slices.Sorted(slices.Values(names)) {
		if n := len(keep); n == 0 || !strings.HasPrefix(name, keep[n-1]) {
			keep = append(keep, name)
		}
	}
	return keep
}
