package load

import (
	"go/ast"

	"golang.org/x/tools/go/packages"
)

// MayHold says where a lock can be, before anything is type-checked: in a package
// that reaches, by imports, a client library or an interface that looks like one.
type MayHold struct {
	Clients []string // import paths of client libraries
	Also    []string // import paths of packages that hold one whatever they import
	Methods []string // names of methods that make an interface look like a client
	Comment string   // a package with this text is looked at too
	// Helper says, by syntax, whether a function may build a key. Packages of the
	// same module are looked through for such functions; nil: none are.
	Helper func(*ast.FuncDecl) bool
}

// A cone is what is type-checked from source, by package ID.
type cone struct {
	holds   map[string]bool // can hold a lock, or imports, directly or not, one that can: facts reach it
	helpers map[string]bool // builds keys for one of these
}

func (c cone) has(p *packages.Package) bool { return c.holds[p.ID] || c.helpers[p.ID] }

// coneOf finds the cone of the packages listed. Client libraries are not in it.
func coneOf(listed []*packages.Package, m MayHold) cone {
	clients := set(m.Clients)
	also := set(m.Also)
	found := search(listed, clients, m)

	c := cone{holds: map[string]bool{}}
	reaches := map[*packages.Package]bool{}
	var holds []*packages.Package
	packages.Visit(listed, nil, func(p *packages.Package) {
		in := found.interfaces[p] || also[p.PkgPath]
		for _, imp := range p.Imports {
			in = in || reaches[imp]
		}
		isClient := clients[p.PkgPath]
		reaches[p] = in || isClient
		if (in || found.comments[p]) && !isClient {
			c.holds[p.ID] = true
			holds = append(holds, p)
		}
	})
	c.helpers = helpersOf(holds, c.holds, m.Helper)
	return c
}

func set(list []string) map[string]bool {
	s := map[string]bool{}
	for _, e := range list {
		s[e] = true
	}
	return s
}
