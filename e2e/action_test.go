package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// TestAction runs the shell steps of action.yml as the runner of GitHub does; the
// cache is left out.
func TestAction(t *testing.T) {
	var action struct {
		Inputs map[string]struct{ Default string }
		Runs   struct {
			Steps []struct {
				ID, Shell, Run, Uses string
				Env                  map[string]string
			}
		}
	}
	if err := yaml.Unmarshal([]byte(read(t, filepath.Join(root(), "action.yml"))), &action); err != nil {
		t.Fatal(err)
	}
	repo := t.TempDir()
	sample := copyTree(t, filepath.Join(root(), "e2e", "testdata", "sample"))
	if err := os.CopyFS(filepath.Join(repo, "service"), os.DirFS(sample)); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(repo, ".git", "HEAD"), "ref: refs/heads/main\n")
	temp := t.TempDir()

	// do runs the action with inputs, and returns the last step and the outputs.
	do := func(inputs map[string]string) (last *result, outputs string) {
		t.Helper()
		output := filepath.Join(t.TempDir(), "output")
		for _, step := range action.Runs.Steps {
			if step.Uses != "" {
				continue
			}
			env := []string{
				"GITHUB_ACTION_PATH=" + root(), "GITHUB_OUTPUT=" + output, "RUNNER_TEMP=" + temp,
				"RUNNER_OS=Linux", "RUNNER_ARCH=X64",
			}
			for name, value := range step.Env {
				input, ok := strings.CutPrefix(strings.TrimSuffix(value, " }}"), "${{ inputs.")
				in, known := action.Inputs[input]
				if !ok || !known {
					t.Fatalf("%s: %s is no input", name, value)
				}
				if set, ok := inputs[input]; ok {
					in.Default = set
				}
				env = append(env, name+"="+in.Default)
			}
			last = run(t, repo, env, "bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step.Run)
			if last.code != 0 {
				break
			}
		}
		return last, read(t, output)
	}

	r, out := do(map[string]string{"working-directory": "service"})
	if want := "::error file=service/lock.go,line=14,"; r.code != 1 || !strings.Contains(r.stdout, want) || !strings.Contains(out, "findings=true") {
		t.Errorf("annotations: exit %d, no %s in\n%s%s\n%s", r.code, want, r.stdout, r.stderr, out)
	}
	if !regexp.MustCompile(`(?m)^key=locklint-Linux-X64-[0-9a-f]{16}$`).MatchString(out) {
		t.Errorf("no key of the cache in\n%s", out)
	}

	r, out = do(map[string]string{"working-directory": "service", "format": "sarif", "fail": "false"})
	report := filepath.Join(temp, "locklint.sarif")
	if r.code != 0 || !strings.Contains(out, "report="+report) || !strings.Contains(read(t, report), `"uri": "service/lock.go"`) {
		t.Errorf("sarif: exit %d\n%s\n%s", r.code, r.stderr, out)
	}

	// Code scanning would show as open what a comment silences.
	lock := filepath.Join(repo, "service", "lock.go")
	text := read(t, lock)
	write(t, lock, strings.Replace(text, "func Once(", "//nolint:locklint // on purpose\nfunc Once(", 1))
	for flags, silent := range map[string]bool{"": true, "-suppressed": false} {
		r, _ = do(map[string]string{"working-directory": "service", "format": "sarif", "flags": flags})
		if got := read(t, report); r.code != 0 || strings.Contains(got, `"results": []`) != silent {
			t.Errorf("sarif of what is silenced, with flags %q: exit %d\n%s", flags, r.code, got)
		}
	}
	write(t, lock, text)

	r, _ = do(map[string]string{"working-directory": "service", "flags": "-disable=setnx-expire,unowned-release -constvalue=false -not-lock=*"})
	if r.code != 0 {
		t.Errorf("with flags: exit %d\n%s%s", r.code, r.stdout, r.stderr)
	}
	r, out = do(map[string]string{"working-directory": "service", "packages": "./nosuch/...", "fail": "false"})
	if r.code != 2 || !strings.Contains(out, "findings=false") {
		t.Errorf("nothing matched: exit %d\n%s", r.code, out)
	}

	// The matcher finds the position of a finding in text, and nothing else.
	var matcher struct {
		ProblemMatcher []struct {
			Pattern []struct {
				Regexp     string
				File, Line int
			}
		}
	}
	if err := json.Unmarshal([]byte(read(t, filepath.Join(root(), "problem-matcher.json"))), &matcher); err != nil {
		t.Fatal(err)
	}
	p := matcher.ProblemMatcher[0].Pattern[0]
	re := regexp.MustCompile(p.Regexp)
	r, _ = do(map[string]string{"working-directory": "service", "format": "text"})
	found := 0
	for line := range strings.Lines(r.stdout) {
		m := re.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
		if m == nil {
			continue
		}
		found++
		if m[p.File] != "lock.go" {
			t.Errorf("file %q in %s", m[p.File], line)
		}
	}
	if found < 2 || !strings.Contains(r.stdout, "::add-matcher::"+root()) {
		t.Errorf("the matcher finds %d findings in\n%s", found, r.stdout)
	}
}
