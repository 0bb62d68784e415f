// Golangci-lint is golangci-lint with the plugin of locklint built in, for the
// end-to-end tests: what "golangci-lint custom" makes, without git.
package main

import (
	"fmt"
	"os"

	"github.com/golangci/golangci-lint/v2/pkg/commands"

	_ "github.com/locklint/locklint/golangci"
)

func main() {
	// A build without a version has its own hash in the keys of its cache, which keeps
	// issues of an older plugin out.
	if err := commands.Execute(commands.BuildInfo{GoVersion: "unknown", Version: "(devel)", Commit: "?"}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
}
