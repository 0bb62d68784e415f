// Package e2e runs the real programs: go vet, go fix, golangci-lint, pre-commit
// and git, on locklint as it stands in this repository. It is a module of its own,
// so that golangci-lint stays out of locklint's.
//
// What is slow to build is kept in the user's cache directory, under
// locklint-e2e, and built again only from changed sources.
package e2e
