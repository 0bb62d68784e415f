package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"locklint": func() {
			analyzers = toyAnalyzers
			main()
		},
		"locklint-real": main, // with the passes that it has
	})
}

// TestScript runs the program as a user does. Each script is a txtar file with
// the packages to look at; they need no module but their own.
func TestScript(t *testing.T) {
	t.Parallel()
	env, err := exec.Command("go", "env", "GOCACHE", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	vars := strings.Split(strings.TrimSpace(string(env)), "\n") // each may have spaces
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       os.Getenv("UPDATE") != "",
		Setup: func(e *testscript.Env) error {
			e.Setenv("GOCACHE", strings.TrimSpace(vars[0]))
			e.Setenv("GOROOT", strings.TrimSpace(vars[1]))
			e.Setenv("GOPROXY", "off")
			e.Setenv("GOFLAGS", "")
			e.Setenv("GOWORK", "")
			e.Setenv("GOTOOLCHAIN", "local")
			e.Setenv("NO_COLOR", "1")
			for name, program := range map[string]string{"TOOL": "locklint", "REAL": "locklint-real"} {
				path, err := exec.LookPath(program)
				if err != nil {
					return err
				}
				e.Setenv(name, path)
			}
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"status": status,
		},
	})
}

// status N CMD ARGS... runs a command and checks what it exits with; stdout and
// stderr check what it printed.
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status code command args...")
	}
	err := ts.Exec(args[1], args[2:]...)
	got := "0"
	if err != nil {
		exit, ok := err.(*exec.ExitError)
		if !ok {
			ts.Fatalf("%s: %v", args[1], err)
		}
		got = strconv.Itoa(exit.ExitCode())
	}
	if got != args[0] {
		ts.Fatalf("exit status %s, want %s", got, args[0])
	}
}
