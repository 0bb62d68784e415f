// Locklint finds misuse of Redis locks in Go code.
//
// It runs by itself (locklint ./...), under go vet
// (go vet -vettool=$(which locklint) ./...) and under go fix
// (go fix -fixtool=$(which locklint) ./...). "locklint help" tells the rest.
package main

import (
	"os"
	"strings"
)

func main() {
	args := os.Args[1:]
	if underVet(args) {
		vet(args)
		return
	}
	os.Exit(run(args, os.Stdout, os.Stderr))
}

// underVet reports whether the go command calls, which asks for the version, for
// the flags, or for the analysis of the one package that a .cfg file describes.
func underVet(args []string) bool {
	if len(args) == 0 {
		return false
	}
	last := args[len(args)-1]
	return last == "-V=full" || last == "-flags" || strings.HasSuffix(last, ".cfg")
}
