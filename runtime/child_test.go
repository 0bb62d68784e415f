package lockrt_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/locklint/locklint/internal/redistest"
	"github.com/redis/go-redis/v9"
)

const childEnv = "LOCKRT_TEST_CHILD"

// children are the programs that the test binary can be.
var children = map[string]func(childJob, *json.Encoder) error{
	"holder": childHolder,
	"crash":  childCrash,
	"count":  childCount,
	"buyers": childBuyers,
	"chaos":  childChaos,
}

// A childJob says what a child process is to do.
type childJob struct {
	Network, Addr string
	Key           string
	TTL           time.Duration
	N             int           // goroutines
	For           time.Duration // of the run
	Seed          uint64
	ID            int
	Broken        bool
	Keys          []string
	Paused        string // a file that is there once the process was stopped
}

func (j childJob) client() *redis.Client {
	return redis.NewClient(&redis.Options{Network: j.Network, Addr: j.Addr})
}

// runChild is main in a child. It reads its job from standard input and writes JSON
// values to standard output. It ends when its parent closes standard input.
func runChild(name string) int {
	in := json.NewDecoder(os.Stdin)
	var job childJob
	if err := in.Decode(&job); err != nil {
		fmt.Fprintln(os.Stderr, "child:", err)
		return 2
	}
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(3) // the parent is gone
	}()
	if err := children[name](job, json.NewEncoder(os.Stdout)); err != nil {
		fmt.Fprintf(os.Stderr, "child %s: %v\n", name, err)
		return 1
	}
	return 0
}

// A child is a second process of the test.
type child struct {
	cmd *exec.Cmd
	out *json.Decoder
	in  io.Closer
}

func startChild(t *testing.T, name string, s *redistest.Server, job childJob) *child {
	t.Helper()
	if job.Addr == "" {
		job.Network, job.Addr = s.Network, s.Addr
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), childEnv+"="+name)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	c := &child{cmd: cmd, out: json.NewDecoder(bufio.NewReader(out)), in: in}
	t.Cleanup(func() { c.kill() })
	if err := json.NewEncoder(in).Encode(job); err != nil {
		t.Fatal(err)
	}
	return c
}

// read waits for the child's next value.
func (c *child) read(t *testing.T, v any) {
	t.Helper()
	if err := c.out.Decode(v); err != nil {
		t.Fatalf("output of child %d: %v", c.cmd.Process.Pid, err)
	}
}

func (c *child) suspend(t *testing.T) { t.Helper(); c.signal(t, "suspend", redistest.Suspend) }
func (c *child) resume(t *testing.T)  { t.Helper(); c.signal(t, "resume", redistest.Continue) }

func (c *child) signal(t *testing.T, what string, send func(*os.Process) error) {
	t.Helper()
	if err := send(c.cmd.Process); err != nil {
		t.Fatalf("%s child %d: %v", what, c.cmd.Process.Pid, err)
	}
}

// kill ends the child, if it has not ended, and waits for it.
func (c *child) kill() {
	_ = c.cmd.Process.Kill()
	_ = c.cmd.Wait()
	c.in.Close()
}
