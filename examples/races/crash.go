package main

import (
	"bufio"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"

	"github.com/redis/go-redis/v9"
)

// crash is the race of setnx-expire: a process is killed between SETNX and EXPIRE.
// The process is a real one, this program run once more.
func crash(ctx context.Context, t *timeline, addr string) error {
	const ttl = 300 * time.Millisecond
	for _, oneCommand := range []bool{false, true} {
		title, what := "1a. SETNX, then EXPIRE (setnx-expire)", "SETNX key A-…: OK"
		if oneCommand {
			title, what = "1b. the same crash, with SET NX PX", "SET key A-… NX PX 300: OK"
		}
		t.begin(title, "crash")
		if err := killedHolder(ctx, addr, t.key, ttl, oneCommand); err != nil {
			return err
		}
		if err := t.step(ctx, "A", "%s; then kill -9", what); err != nil {
			return err
		}
		got := false
		for range 4 {
			time.Sleep(150 * time.Millisecond) // A's ttl passes, if it has one
			var err error
			if got, err = t.acquire(ctx, "B", ttl); err != nil {
				return err
			}
			if got {
				break
			}
		}
		moral := "the key has no TTL: no one gets the lock until somebody deletes it by hand"
		if got {
			moral = "A's TTL ended the lock: B has it"
		}
		if err := t.end(ctx, moral); err != nil {
			return err
		}
	}
	return nil
}

// killedHolder starts a process that creates the key as A, and kills it when it has.
func killedHolder(ctx context.Context, addr, key string, ttl time.Duration, oneCommand bool) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	if !oneCommand {
		ttl = 0 // EXPIRE was to follow
	}
	cmd := exec.CommandContext(ctx, self, "holder", addr, key, ttl.String())
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	in, err := cmd.StdinPipe() // closed when this process ends: the child never outlives it
	if err != nil {
		return err
	}
	defer in.Close()
	if err := cmd.Start(); err != nil {
		return err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	_ = cmd.Process.Kill()
	_ = cmd.Wait() // says that it was killed
	if err != nil || line != "created\n" {
		return fmt.Errorf("the process that was to hold the lock failed: %q, %w", line, err)
	}
	return nil
}

// crashes is the process that is killed. It reports whether args ask for it.
func crashes(args []string) bool {
	if len(args) != 4 || args[0] != "holder" {
		return false
	}
	ttl, err := time.ParseDuration(args[3])
	if err != nil {
		fmt.Fprintln(os.Stderr, "races:", err)
		os.Exit(2)
	}
	rdb := redis.NewClient(&redis.Options{Addr: args[1]})
	if err := rdb.SetNX(context.Background(), args[2], "A-"+rand.Text()[:6], ttl).Err(); err != nil {
		fmt.Fprintln(os.Stderr, "races:", err)
		os.Exit(1)
	}
	fmt.Println("created")
	_, _ = io.Copy(io.Discard, os.Stdin) // here it is killed
	return true
}
