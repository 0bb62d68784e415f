package proof

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sync/errgroup"

	"github.com/locklint/locklint/internal/linttest"
)

const module = "github.com/locklint/locklint"

// programs are the folders of testdata, each with the flags its fixes need.
var programs = []struct {
	name  string
	flags []string
}{
	{"forms", nil},
	{"lockruntime", nil},
	{"decisions", []string{"-fixes=all"}},
}

// builds are the programs before and after their fix: folders of executables.
type builds struct{ before, after string }

// build builds the programs, fixes their source, and builds them again.
func build(t *testing.T) builds {
	t.Helper()
	dir := t.TempDir()
	source := filepath.Join(dir, "source")
	copyPrograms(t, source)

	b := builds{filepath.Join(dir, "before"), filepath.Join(dir, "after")}
	locklint := filepath.Join(dir, "locklint")
	var g errgroup.Group
	g.Go(func() error { return run(linttest.Root(t), nil, "go", "build", "-o", locklint, "./cmd/locklint") })
	g.Go(func() error {
		return run(source, modFlags, "go", "build", "-o", b.before+string(filepath.Separator), "./...")
	})
	if err := g.Wait(); err != nil {
		t.Fatal(err)
	}

	// A form that is left without a fix is a failure: locklint says so by its status.
	fix := func() map[string]string {
		for _, p := range programs {
			args := append([]string{"-fix"}, p.flags...)
			if err := run(source, modFlags, locklint, append(args, "./"+p.name)...); err != nil {
				t.Fatal(err)
			}
		}
		return contents(t, source)
	}
	old := contents(t, source)
	fixed := fix()
	for name, text := range old {
		if fixed[name] == text && name != filepath.Join(source, "forms", "main.go") {
			t.Errorf("%s: the fixes change nothing", name)
		}
	}
	again := fix()
	for name, text := range fixed {
		if again[name] != text {
			t.Errorf("%s: a second run of the fixes changes it again", name)
		}
	}
	if err := run(source, modFlags, "go", "build", "-o", b.after+string(filepath.Separator), "./..."); err != nil {
		t.Fatal(err)
	}
	if err := run(source, modFlags, "go", "vet", "./..."); err != nil {
		t.Error(err)
	}
	return b
}

// modFlags make the go command write what it wants into the go.mod of the copy.
var modFlags = []string{"GOFLAGS=-mod=mod", "GOWORK=off"}

// copyPrograms writes the programs to dir, as a module that takes all it needs from
// this one: what is in its go.mod, and the packages of the checkout itself.
func copyPrograms(t *testing.T, dir string) {
	t.Helper()
	root := linttest.Root(t)
	if err := os.CopyFS(dir, os.DirFS("testdata")); err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	// The path of the copy lies in this module, so that it may import what is internal.
	mod = bytes.Replace(mod, []byte("module "+module), []byte("module "+module+"/internal/proof/copy"), 1)
	for name, data := range map[string][]byte{"go.mod": mod, "go.sum": sum} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := run(dir, modFlags, "go", "mod", "edit", "-require="+module+"@v0.0.0", "-replace="+module+"="+root); err != nil {
		t.Fatal(err)
	}
}

// contents are the Go files below dir.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") {
			return err
		}
		data, err := os.ReadFile(path)
		out[path] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// run runs a command in dir. Its error holds what the command said.
func run(dir string, env []string, name string, args ...string) error {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, out)
	}
	return nil
}
