package e2e

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/lockedfile"
)

// root is the repository.
var root = sync.OnceValue(func() string {
	dir, err := filepath.Abs("..")
	if err != nil {
		panic(err)
	}
	return dir
})

// cache is where slow things are kept from one run to the next.
func cache(t *testing.T, elem ...string) string {
	t.Helper()
	dir, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(append([]string{dir, "locklint-e2e"}, elem...)...)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// bin is where the programs under test are, for this run alone: another run at the
// same time may have other sources.
var bin string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "locklint-e2e-")
	if err != nil {
		panic(err)
	}
	bin = dir
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

var (
	buildLocklint     sync.Once
	buildGolangciLint sync.Once
)

// locklint builds the program and returns its path.
func locklint(t *testing.T) string {
	t.Helper()
	path := filepath.Join(bin, "locklint")
	buildLocklint.Do(func() {
		run(t, root(), nil, "go", "build", "-trimpath", "-o", path, "./cmd/locklint").want(t, 0)
	})
	return built(t, path)
}

// golangciLint builds golangci-lint with the plugin and returns its path. From an
// empty build cache this takes minutes, so the program is kept where the go command
// sees whether it is still the one wanted.
func golangciLint(t *testing.T) string {
	t.Helper()
	path := filepath.Join(bin, "golangci-lint")
	buildGolangciLint.Do(func() {
		kept := cache(t, "golangci-lint")
		unlock, err := lockedfile.MutexAt(kept + ".lock").Lock()
		if err != nil {
			t.Fatal(err)
		}
		defer unlock()
		run(t, ".", nil, "go", "build", "-trimpath", "-o", kept, "./golangci-lint").want(t, 0)
		data, err := os.ReadFile(kept)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o755); err != nil {
			t.Fatal(err)
		}
	})
	return built(t, path)
}

// built fails the test if an earlier test could not build path.
func built(t *testing.T, path string) string {
	t.Helper()
	if _, err := os.Stat(path); err != nil {
		t.Fatal(err)
	}
	return path
}

// A result is what a program did.
type result struct {
	cmd            string
	code           int
	stdout, stderr string
}

// run runs a program in dir, with env on top of the environment.
func run(t *testing.T, dir string, env []string, name string, args ...string) *result {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if _, exited := err.(*exec.ExitError); err != nil && !exited {
		t.Fatalf("%s: %v", cmd, err)
	}
	return &result{cmd.String(), cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

// want fails the test if the program did not exit with one of the codes.
func (r *result) want(t *testing.T, codes ...int) *result {
	t.Helper()
	for _, c := range codes {
		if r.code == c {
			return r
		}
	}
	t.Fatalf("%s\nexit %d, want one of %v\nstdout:\n%s\nstderr:\n%s", r.cmd, r.code, codes, r.stdout, r.stderr)
	return nil
}

// copyTree copies the files of dir that git knows or would add, which leaves out
// what builds and tests make.
func copyTree(t *testing.T, dir string, paths ...string) string {
	t.Helper()
	to := t.TempDir()
	list := run(t, dir, nil, "git", append([]string{"ls-files", "-z", "--cached", "--others", "--exclude-standard", "--"}, paths...)...).want(t, 0)
	for _, name := range strings.Split(strings.TrimRight(list.stdout, "\x00"), "\x00") {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if os.IsNotExist(err) {
			continue // deleted, and not yet committed
		}
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(to, name), string(data))
	}
	return to
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
