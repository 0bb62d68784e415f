package atomicfile

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWrite(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "a.go")
	if err := os.WriteFile(file, []byte("old"), 0o640); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link.go")
	if err := os.Symlink(file, link); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	if err := Write(link, []byte("new")); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(file); string(got) != "new" {
		t.Errorf("the file behind the link holds %q, want new", got)
	}
	if info, _ := os.Lstat(link); info.Mode()&os.ModeSymlink == 0 {
		t.Error("the link became a file")
	}
	if info, _ := os.Stat(file); info.Mode().Perm() != 0o640 {
		t.Errorf("mode is %v, want 0640", info.Mode().Perm())
	}
	if err := Write(filepath.Join(dir, "fresh"), []byte("x")); err != nil {
		t.Error(err)
	}
	leaves(t, dir, "a.go", "fresh", "link.go")
}

func TestWriteRefuses(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "a.go")
	if err := os.WriteFile(file, []byte("old"), 0o444); err != nil {
		t.Fatal(err)
	}
	if err := Write(file, []byte("new")); err == nil || !strings.Contains(err.Error(), "read-only") {
		t.Errorf("writing a read-only file: %v", err)
	}
	if got, _ := os.ReadFile(file); string(got) != "old" {
		t.Errorf("the read-only file now holds %q", got)
	}
	if err := Write(dir, nil); err == nil {
		t.Error("writing a directory: no error")
	}
	if err := Write(filepath.Join(dir, "none", "a.go"), nil); err == nil {
		t.Error("writing below a directory that does not exist: no error")
	}
	leaves(t, dir, "a.go")
}

// leaves checks that dir holds these files and no others.
func leaves(t *testing.T, dir string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("%s holds %v, want %v", dir, got, want)
	}
}
