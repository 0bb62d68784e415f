package rewrite_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/locklint/locklint/internal/linttest"
)

// The drivers give the golden files, byte for byte: the program itself, go vet and go
// fix. Most locks of the files have a fault for each of several passes.
func TestDrivers(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: go vet and go fix analyse the standard library too")
	}
	root := linttest.Root(t)
	tool := filepath.Join(t.TempDir(), "locklint")
	if out, err := command(root, "go", "build", "-o", tool, "./cmd/locklint").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for name, args := range map[string][]string{
		"locklint": {tool, "-fix", "./..."},
		"go vet":   {"go", "vet", "-vettool=" + tool, "-fix", "./..."},
		"go fix":   {"go", "fix", "-fixtool=" + tool, "./..."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, want := module(t, root)
			out, err := command(dir, args[0], args[1:]...).CombinedOutput()
			if exit, ok := err.(*exec.ExitError); err != nil && (!ok || exit.ExitCode() != 1) { // 1: faults are left
				t.Fatalf("%v\n%s", err, out)
			}
			for file, data := range want {
				if got, err := os.ReadFile(file); err != nil {
					t.Error(err)
				} else if !bytes.Equal(got, data) {
					t.Errorf("%s: %s gives something else than the golden file", file, name)
				}
			}
		})
	}
}

func command(dir, name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off")
	return cmd
}

// module copies the packages that -fixes=safe is tested with to a module of their own,
// and returns what each file must become.
func module(t *testing.T, root string) (dir string, want map[string][]byte) {
	t.Helper()
	dir, want = t.TempDir(), map[string][]byte{}
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{"go.mod": bytes.Replace(mod, []byte("github.com/locklint/locklint"), []byte("example.org/fix"), 1), "go.sum": sum}
	top := filepath.Join(root, "testdata", "src", "fix")
	for file, data := range goldens(t) {
		rel, err := filepath.Rel(top, file)
		if err != nil {
			t.Fatal(err)
		}
		if d := filepath.ToSlash(rel); strings.HasPrefix(d, "lockruntime/") || strings.HasPrefix(d, "retries/") || strings.HasPrefix(d, "suggested/") {
			continue
		}
		if files[rel], err = os.ReadFile(file); err != nil {
			t.Fatal(err)
		}
		want[filepath.Join(dir, rel)] = data
	}
	write(t, dir, files)
	return dir, want
}

// write writes files, by their path below dir.
func write(t *testing.T, dir string, files map[string][]byte) {
	t.Helper()
	for rel, data := range files {
		to := filepath.Join(dir, rel)
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
