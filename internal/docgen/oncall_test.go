//go:build unix

package docgen_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/locklint/locklint/internal/redistest"
)

// The loop of docs/on-call.md finds the orphan, and nothing else, on a real server.
func TestFindOrphans(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	cli, err := exec.LookPath("redis-cli") // installed with the server
	if err != nil {
		t.Fatal(err)
	}
	rdb := server.Client(t)
	ctx := context.Background()
	for _, err := range []error{
		rdb.Set(ctx, "lock:orphan", "host 1", 0).Err(),
		rdb.Set(ctx, "lock:held", "host 2", time.Hour).Err(),
		rdb.Set(ctx, "order:7", "paid", 0).Err(),
		rdb.SAdd(ctx, "lock:members", "a").Err(),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	loop := regexp.MustCompile("(?s)```sh\n(redis-cli --scan.*?)```").FindStringSubmatch(read(t, filepath.Join(root, "docs", "on-call.md")))
	if loop == nil {
		t.Fatal("the page has no loop over the keys")
	}
	bin := t.TempDir() // redis-cli, told of the server
	script := "#!/bin/sh\nexec '" + cli + "' -s '" + server.Options().Addr + "' \"$@\"\n"
	if err := os.WriteFile(filepath.Join(bin, "redis-cli"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("sh", "-c", loop[1])
	cmd.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"))
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if exit, ok := err.(*exec.ExitError); err != nil && !(ok && exit.Exited()) { // it exits as its last test does
		t.Fatal(err)
	}
	if got, want := strings.TrimSpace(string(out)), "lock:orphan = host 1"; got != want {
		t.Errorf("the loop prints %q, want %q", got, want)
	}
}
