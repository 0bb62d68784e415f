package e2e

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestGolangciCustom builds golangci-lint as a user does, with "golangci-lint
// custom" and the .custom-gcl.yml of the repository, and runs it with the example
// configuration.
func TestGolangciCustom(t *testing.T) {
	tree := copyTree(t, root())
	custom := read(t, filepath.Join(tree, ".custom-gcl.yml"))
	version := regexp.MustCompile(`(?m)^version: (\S+)$`).FindStringSubmatch(custom)
	if version == nil {
		t.Fatalf("no version in\n%s", custom)
	}
	env := []string{
		// The command clones golangci-lint from GitHub: send it to our copy.
		"GIT_CONFIG_COUNT=1",
		"GIT_CONFIG_KEY_0=url.file://" + golangciSource(t, version[1]) + ".insteadOf",
		"GIT_CONFIG_VALUE_0=https://github.com/golangci/golangci-lint.git",
		// The clone has another name each time; this keeps the name out of the keys
		// of the build cache.
		"GOFLAGS=-trimpath",
	}
	run(t, tree, env, golangciLint(t), "custom", "-v").want(t, 0)
	bin := filepath.Join(tree, "golangci-lint-locklint")

	sample := copyTree(t, filepath.Join(root(), "e2e", "testdata", "sample"))
	example := read(t, filepath.Join(tree, ".golangci.example.yml"))
	config := filepath.Join(sample, ".golangci.yml")
	write(t, config, example)
	env = []string{"GOLANGCI_LINT_CACHE=" + t.TempDir()}
	out := run(t, sample, env, bin, "run", "--allow-parallel-runners").want(t, 1).stdout
	for _, want := range []string{
		`(?m)^lock.go:14:13: setnxexpire: setnx-expire: .*expiry is set here.*\(locklint\)$`,
		`(?m)^lock.go:21:8: baredel: unowned-release: .*\(locklint\)$`,
	} {
		if !regexp.MustCompile(want).MatchString(out) {
			t.Errorf("no %s in\n%s", want, out)
		}
	}
	if strings.Contains(out, "related information") {
		t.Errorf("related positions are issues of their own:\n%s", out)
	}

	// What a language server calls, as docs/editors.md says.
	args := regexp.MustCompile(`'(--[^']+)'`).FindAllStringSubmatch(read(t, filepath.Join(root(), "docs", "editors.md")), -1)
	call := []string{"run"}
	for _, a := range args {
		call = append(call, a[1])
	}
	out = run(t, sample, env, bin, call...).want(t, 1).stdout
	if len(args) < 2 || !strings.HasPrefix(out, `{"Issues":[{"FromLinter":"locklint"`) {
		t.Errorf("%v does not print the issues as JSON:\n%s", call, out)
	}

	write(t, config, strings.Replace(example, "fixes: safe", "fixes: none\n          fixers: safe", 1))
	out = run(t, sample, env, bin, "run", "--allow-parallel-runners").want(t, 3).stderr
	if !strings.Contains(out, `"fixers"`) {
		t.Errorf("an unknown setting is not named:\n%s", out)
	}
	write(t, config, strings.Replace(example, "disable: []", "disable: [setnx-expire, unowned-release, weak-token]", 1))
	run(t, sample, env, bin, "run", "--allow-parallel-runners").want(t, 0)
}

// TestGolangciSelf: this repository is clean by its own .golangci.yml, which has
// locklint among the linters.
func TestGolangciSelf(t *testing.T) {
	env := []string{"GOLANGCI_LINT_CACHE=" + t.TempDir()}
	config := filepath.Join(root(), ".golangci.yml")
	enabled := run(t, root(), env, golangciLint(t), "linters", "-c", config).want(t, 0).stdout
	if on, _, _ := strings.Cut(enabled, "Disabled"); !strings.Contains(on, "locklint") {
		t.Fatalf("locklint is not among the linters:\n%s", on)
	}
	for dir, packages := range map[string][]string{
		".":        {"./..."},
		"e2e":      {"./..."},
		"examples": {"./races", "./lease", "./orders/fixed"}, // the others are faulty on purpose
	} {
		r := run(t, filepath.Join(root(), dir), env, golangciLint(t), append([]string{"run", "--allow-parallel-runners", "-c", config}, packages...)...)
		if r.code != 0 {
			t.Errorf("%s: exit %d\n%s%s", dir, r.code, r.stdout, r.stderr)
		}
	}
}

// golangciSource makes a git repository of the sources of golangci-lint in the
// module cache, with the tag that "custom" asks for.
func golangciSource(t *testing.T, version string) string {
	t.Helper()
	repo := cache(t, "golangci-lint-"+version)
	if _, err := os.Stat(repo); err == nil {
		return repo
	}
	tmp, err := os.MkdirTemp(filepath.Dir(repo), "source-")
	if err != nil {
		t.Fatal(err)
	}
	src := run(t, ".", nil, "go", "list", "-m", "-f", "{{.Dir}}", "github.com/golangci/golangci-lint/v2").want(t, 0)
	if err := os.CopyFS(tmp, os.DirFS(strings.TrimSpace(src.stdout))); err != nil {
		t.Fatal(err)
	}
	gitCommit(t, tmp)
	run(t, tmp, nil, "git", "tag", version).want(t, 0)
	if err := os.Rename(tmp, repo); err != nil {
		t.Fatal(err)
	}
	return repo
}

// gitCommit makes a git repository of dir with one commit, whose hash depends on
// the files alone.
func gitCommit(t *testing.T, dir string) {
	t.Helper()
	env := []string{
		"GIT_AUTHOR_NAME=e2e", "GIT_AUTHOR_EMAIL=e2e@localhost", "GIT_AUTHOR_DATE=2000-01-01T00:00:00Z",
		"GIT_COMMITTER_NAME=e2e", "GIT_COMMITTER_EMAIL=e2e@localhost", "GIT_COMMITTER_DATE=2000-01-01T00:00:00Z",
		"GIT_CONFIG_GLOBAL=" + os.DevNull,
	}
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "-Af"}, {"commit", "-q", "-m", "all"}} {
		run(t, dir, env, "git", args...).want(t, 0)
	}
}
