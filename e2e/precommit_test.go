package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestPreCommit installs the hooks of this repository into a scratch one with the
// real pre-commit: a commit with a fault fails, locklint-fix rewrites it, a
// commit without Go code runs nothing.
func TestPreCommit(t *testing.T) {
	if _, err := exec.LookPath("pre-commit"); err != nil {
		t.Fatal("pre-commit is not installed: apt-get install pre-commit")
	}
	hooks := copyTree(t, root())
	gitCommit(t, hooks)
	rev := strings.TrimSpace(run(t, hooks, nil, "git", "rev-parse", "HEAD").want(t, 0).stdout)
	modules := strings.TrimSpace(run(t, ".", nil, "go", "env", "GOMODCACHE").want(t, 0).stdout)
	env := []string{
		"PRE_COMMIT_HOME=" + cache(t, "pre-commit"),
		"GOMODCACHE=" + modules, // pre-commit sets another GOPATH
		"GIT_CONFIG_GLOBAL=" + os.DevNull,
		"GIT_AUTHOR_NAME=e2e", "GIT_AUTHOR_EMAIL=e2e@localhost",
		"GIT_COMMITTER_NAME=e2e", "GIT_COMMITTER_EMAIL=e2e@localhost",
		// Where the hooks come from has another name each time; what pre-commit
		// installs from one commit is the same.
		"GIT_CONFIG_COUNT=1",
		"GIT_CONFIG_KEY_0=url.file://" + hooks + ".insteadOf",
		"GIT_CONFIG_VALUE_0=https://github.com/locklint/locklint",
	}

	// The Go module is in a directory of the repository, as in docs/ci.md.
	dir := copyTree(t, filepath.Join(root(), "e2e", "testdata", "sample"))
	repo := t.TempDir()
	if err := os.CopyFS(filepath.Join(repo, "service"), os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	git := func(args ...string) *result { return run(t, repo, env, "git", args...) }
	use := func(hook string) {
		write(t, filepath.Join(repo, ".pre-commit-config.yaml"), fmt.Sprintf(`repos:
  - repo: https://github.com/locklint/locklint
    rev: %s
    hooks:
      - id: %s
        args: [-C, service, ./...]
`, rev, hook))
		git("add", "-A").want(t, 0)
	}
	git("init", "-q", "-b", "main").want(t, 0)
	use("locklint")
	run(t, repo, env, "pre-commit", "install").want(t, 0)

	out := git("commit", "-q", "-m", "a fault").want(t, 1)
	if text := out.stdout + out.stderr; !strings.Contains(text, "lock.go:14:13: setnxexpire/setnx-expire: ") {
		t.Errorf("the commit fails for another reason:\n%s", text)
	}

	before := read(t, filepath.Join(repo, "service", "lock.go"))
	use("locklint-fix")
	out = git("commit", "-q", "-m", "a fault, to be fixed").want(t, 1)
	if text := out.stdout + out.stderr; !strings.Contains(text, "files were modified by this hook") {
		t.Errorf("the commit fails for another reason:\n%s", text)
	}
	if read(t, filepath.Join(repo, "service", "lock.go")) == before {
		t.Error("locklint-fix changes nothing")
	}
	run(t, filepath.Join(repo, "service"), nil, "go", "build", "./...").want(t, 0)

	use("locklint")
	write(t, filepath.Join(repo, "service", "lock.go"), "// Package sample is empty.\npackage sample\n")
	git("add", "-A").want(t, 0)
	git("commit", "-q", "-m", "no fault").want(t, 0)

	write(t, filepath.Join(repo, "README"), "text\n")
	git("add", "-A").want(t, 0)
	out = git("commit", "-m", "no Go").want(t, 0)
	if text := out.stdout + out.stderr; !strings.Contains(text, "Skipped") {
		t.Errorf("a commit without Go code runs the hook:\n%s", text)
	}
}
