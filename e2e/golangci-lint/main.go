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
	// The version is part of the key of its cache: an own one for each build keeps
	// issues of an older plugin out.
	if err := commands.Execute(commands.BuildInfo{GoVersion: "unknown", Version: version, Commit: "?", Date: ""}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
}

var version = "v2.15.0-e2e"
