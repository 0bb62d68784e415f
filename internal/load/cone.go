package load

import (
	"bytes"
	"os"
	"runtime"
	"slices"
	"sync"

	"golang.org/x/tools/go/packages"
)

// MayHold says where a lock can be, without parsing anything: in a package that
// reaches a client library by imports, or whose source has one of the words (the
// method names of the interfaces that are taken for a client).
type MayHold struct {
	Clients []string // import paths of client libraries
	Also    []string // import paths of packages that hold one whatever they import
	Words   []string
}

// coneOf returns the IDs of the packages that can hold a lock, or that import,
// directly or not, a package which can: facts reach them. The clients themselves
// are not in it.
func coneOf(listed []*packages.Package, m MayHold) map[string]bool {
	clients := map[string]bool{}
	for _, path := range m.Clients {
		clients[path] = true
	}
	words := withWords(listed, clients, m.Words)
	also := map[string]bool{}
	for _, path := range m.Also {
		also[path] = true
	}

	reaches := map[*packages.Package]bool{}
	cone := map[string]bool{}
	packages.Visit(listed, nil, func(p *packages.Package) {
		in := words[p] || also[p.PkgPath]
		for _, imp := range p.Imports {
			in = in || reaches[imp]
		}
		isClient := clients[p.PkgPath]
		reaches[p] = in || isClient
		if in && !isClient {
			cone[p.ID] = true
		}
	})
	return cone
}

// withWords finds the packages outside the standard library whose source has one
// of the words. The clients have them all and are not searched.
func withWords(listed []*packages.Package, clients map[string]bool, words []string) map[*packages.Package]bool {
	if len(words) == 0 {
		return nil
	}
	words = shortest(words)
	var search []*packages.Package
	packages.Visit(listed, nil, func(p *packages.Package) {
		if !clients[p.PkgPath] && !isStandard(p) {
			search = append(search, p)
		}
	})

	var (
		mu    sync.Mutex
		found = map[*packages.Package]bool{}
		wg    sync.WaitGroup
		queue = make(chan *packages.Package)
	)
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			var r reader
			for p := range queue {
				if slices.ContainsFunc(p.GoFiles, func(f string) bool { return r.contains(f, words) }) {
					mu.Lock()
					found[p] = true
					mu.Unlock()
				}
			}
		})
	}
	for _, p := range search {
		queue <- p
	}
	close(queue)
	wg.Wait()
	return found
}

// shortest leaves out each word that another one begins: who finds SetIf has
// found SetIfAbsent too.
func shortest(words []string) []string {
	var keep []string
	for _, w := range slices.Compact(slices.Sorted(slices.Values(words))) {
		if len(keep) > 0 && w[:min(len(w), len(keep[len(keep)-1]))] == keep[len(keep)-1] {
			continue
		}
		if w != "" {
			keep = append(keep, w)
		}
	}
	return keep
}

// A reader searches files, using one buffer for all of them.
type reader struct{ buf bytes.Buffer }

func (r *reader) contains(file string, words []string) bool {
	f, err := os.Open(file)
	if err != nil {
		return true // let the type-checker say what is wrong with it
	}
	defer f.Close()
	r.buf.Reset()
	if _, err := r.buf.ReadFrom(f); err != nil {
		return true
	}
	for _, w := range words {
		if bytes.Contains(r.buf.Bytes(), []byte(w)) {
			return true
		}
	}
	return false
}
