package proof

import (
	"bufio"
	"context"
	"io"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/locklint/locklint/internal/redistest"
)

// patience bounds the life of a process that hangs; machines may be slow.
const patience = 2 * time.Minute

// A process is one run of a form.
type process struct {
	t      *testing.T
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	stderr strings.Builder
}

// A scene is what a form runs in.
type scene struct {
	key, id, token string
	stop, cut      int  // at which command on the key
	down           bool // no server is there
}

// start runs a form of a program in dir.
func start(t *testing.T, dir string, f form, server *redistest.Server, s scene) *process {
	t.Helper()
	addr := server.Addr
	if s.down {
		addr = filepath.Join(t.TempDir(), "nobody")
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	p := &process{t: t, cmd: exec.CommandContext(ctx, filepath.Join(dir, f.program),
		"-network", server.Network, "-addr", addr, "-key", s.key, "-id", s.id, "-token", s.token,
		"-stop", strconv.Itoa(s.stop), "-cut", strconv.Itoa(s.cut), f.name)}
	p.cmd.Stderr = &p.stderr
	in, err := p.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.in, p.out = in, bufio.NewReader(out)
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cancel()
		_ = p.cmd.Wait() // an error says that it was waited for, or how it ended
	})
	return p
}

// fail ends the process and the test, with what the process wrote to standard error.
func (p *process) fail(format string, args ...any) {
	p.t.Helper()
	_ = p.cmd.Process.Kill() // an error says that it has ended
	_ = p.cmd.Wait()
	p.t.Fatalf(format+"\n%s", append(args, p.stderr.String())...)
}

// stopped waits until the process stands at its stop.
func (p *process) stopped() {
	p.t.Helper()
	if line, err := p.out.ReadString('\n'); line != "stopped\n" {
		p.fail("it did not stop but said %q (%v)", line, err)
	}
}

// kill ends the process as a crash does.
func (p *process) kill() {
	p.t.Helper()
	if err := p.cmd.Process.Kill(); err != nil {
		p.t.Fatal(err)
	}
	_ = p.cmd.Wait() // says that it was killed
}

// resume lets a stopped process go on.
func (p *process) resume() {
	p.t.Helper()
	if _, err := io.WriteString(p.in, "\n"); err != nil {
		p.t.Fatal(err)
	}
}

// returned waits for the end of the process and tells what its form returned.
func (p *process) returned() string {
	p.t.Helper()
	line, err := p.out.ReadString('\n')
	text, ok := strings.CutPrefix(line, "returned ")
	if !ok {
		p.fail("it did not return but said %q (%v)", line, err)
	}
	if err := p.cmd.Wait(); err != nil {
		p.fail("%v", err)
	}
	return strings.TrimSuffix(text, "\n")
}
