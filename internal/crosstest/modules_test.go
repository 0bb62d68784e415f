package crosstest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/txtar"
)

// program builds cmd/locklint once.
var program = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "locklint")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "locklint")
	cmd := exec.Command("go", "build", "-o", path, "./cmd/locklint")
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%v: %s", err, out)
	}
	return path, nil
})

// redisVersion is the version of go-redis in go.mod.
var redisVersion = sync.OnceValues(func() (string, error) {
	cmd := exec.Command("go", "list", "-m", "-f", "{{.Version}}", "github.com/redis/go-redis/v9")
	cmd.Dir = root
	out, err := cmd.Output()
	return strings.TrimSpace(string(out)), err
})

// Locks that span packages and modules: what is wanted is found, nothing else is,
// and the program alone says the same as go vet.
func TestModules(t *testing.T) {
	t.Parallel()
	archives, err := filepath.Glob("testdata/modules/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatal("no archives", err)
	}
	tool, err := program()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(filepath.Dir(tool)) })
	for _, archive := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(archive), ".txtar"), func(t *testing.T) {
			dir, mods, want := extract(t, archive)
			for _, mod := range mods {
				mod := filepath.Join(dir, mod)
				alone := findings(t, dir, output(t, mod, tool, "-json", "./..."))
				vet := findings(t, dir, output(t, mod, "go", "vet", "-json", "-vettool="+tool, "./..."))
				expected := slices.DeleteFunc(slices.Clone(want), func(s string) bool {
					return !strings.HasPrefix(s, filepath.Base(mod)+"/")
				})
				if got := kindsOf(alone); !slices.Equal(got, expected) {
					t.Errorf("%s: got\n\t%s\nwant\n\t%s", mod, strings.Join(got, "\n\t"), strings.Join(expected, "\n\t"))
				}
				if !slices.Equal(alone, vet) {
					t.Errorf("%s: alone\n\t%s\nunder go vet\n\t%s", mod, strings.Join(alone, "\n\t"), strings.Join(vet, "\n\t"))
				}
			}
		})
	}
}

var wantComment = regexp.MustCompile(`// want ([a-z -]+)$`)

// extract writes an archive to a folder. It returns the folder, the modules in it
// and, in order, "file:line kind" for each comment "// want kind kind".
func extract(t *testing.T, archive string) (dir string, mods, want []string) {
	t.Helper()
	a, err := txtar.ParseFile(archive)
	if err != nil {
		t.Fatal(err)
	}
	version, err := redisVersion()
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	dir, err = filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	write := func(name string, data []byte) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range a.Files {
		if mod, ok := strings.CutSuffix(f.Name, "/go.mod"); ok {
			mods = append(mods, mod)
			f.Data = bytes.ReplaceAll(f.Data, []byte("REDIS"), []byte(version))
			write(mod+"/go.sum", sums)
		}
		write(f.Name, f.Data)
		for i, line := range strings.Split(string(f.Data), "\n") {
			if m := wantComment.FindStringSubmatch(line); m != nil {
				for _, kind := range strings.Fields(m[1]) {
					want = append(want, fmt.Sprintf("%s:%d %s", f.Name, i+1, kind))
				}
			}
		}
	}
	slices.Sort(want)
	return dir, mods, want
}

// output runs a program offline; findings make it exit with 1.
func output(t *testing.T, dir, name string, args ...string) []byte {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil && cmd.ProcessState.ExitCode() != 1 {
		t.Fatalf("%s %s: %v\n%s%s", name, strings.Join(args, " "), err, stdout.String(), stderr.String())
	}
	if s := stderr.String(); strings.Contains(s, "error") {
		t.Fatalf("%s %s: %s", name, strings.Join(args, " "), s)
	}
	return stdout.Bytes()
}

// findings reads the JSON of either driver as sorted lines "file:line:col message".
func findings(t *testing.T, dir string, data []byte) []string {
	t.Helper()
	var out []string
	dec := json.NewDecoder(bytes.NewReader(data))
	for {
		var tree map[string]map[string]json.RawMessage
		if err := dec.Decode(&tree); err == io.EOF {
			break
		} else if err != nil {
			t.Fatalf("%v in %s", err, data)
		}
		for _, analyzers := range tree {
			for _, raw := range analyzers {
				var diags []struct{ Posn, Message string }
				if err := json.Unmarshal(raw, &diags); err != nil {
					t.Fatalf("%v: %s", err, raw)
				}
				for _, d := range diags {
					posn := d.Posn
					if rel, err := filepath.Rel(dir, posn); err == nil {
						posn = filepath.ToSlash(rel)
					}
					out = append(out, posn+" "+d.Message)
				}
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

var message = regexp.MustCompile(`^(.*:\d+):\d+ (?:\w+/)?([a-z-]+): `)

// kindsOf shortens findings to "file:line kind".
func kindsOf(findings []string) []string {
	var out []string
	for _, f := range findings {
		if m := message.FindStringSubmatch(f); m != nil {
			f = m[1] + " " + m[2]
		}
		out = append(out, f)
	}
	slices.Sort(out)
	return out
}
