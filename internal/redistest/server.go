package redistest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

// A Server is one running redis-server. Its methods are for the goroutine of the
// test; the server itself may be used by any number of clients.
type Server struct {
	Network string // "unix" or "tcp"
	Addr    string // socket path, or 127.0.0.1:port
	Dir     string // the server's working directory

	bin  string
	args []string

	mu     sync.Mutex
	cmd    *exec.Cmd
	exited chan struct{} // closed when cmd has been waited for
}

// Start runs a server on a unix socket. args are further options of redis-server,
// such as "--maxmemory", "2mb". The server keeps nothing on disk.
func Start(tb testing.TB, args ...string) *Server {
	tb.Helper()
	s := newServer(tb, Path(tb), args)
	s.Network, s.Addr = "unix", filepath.Join(s.Dir, "redis.sock")
	if err := s.start(); err != nil {
		tb.Fatal(err)
	}
	return s
}

// StartTCP runs a server on a free loopback port.
func StartTCP(tb testing.TB, args ...string) *Server {
	tb.Helper()
	s := newServer(tb, Path(tb), args)
	if err := s.startOnFreePort(); err != nil {
		tb.Fatal(err)
	}
	return s
}

// newServer prepares a server and registers its end. The directory is not
// tb.TempDir: a socket's path must be shorter than about 100 bytes.
func newServer(tb testing.TB, bin string, args []string) *Server {
	tb.Helper()
	dir, err := os.MkdirTemp("", "redis")
	if err != nil {
		tb.Fatal(err)
	}
	s := &Server{Dir: dir, bin: bin, args: args}
	tb.Cleanup(func() {
		s.Kill()
		if tb.Failed() {
			if log, _ := os.ReadFile(s.logFile()); len(log) > 0 {
				tb.Logf("log of redis-server %s:\n%s", s.Addr, log)
			}
		}
		if err := os.RemoveAll(dir); err != nil {
			tb.Error(err)
		}
	})
	return s
}

// startOnFreePort asks the kernel for a port and tries again when another process
// was faster to take it.
func (s *Server) startOnFreePort() error {
	var err error
	for range 10 {
		var port int
		if port, err = freePort(); err != nil {
			return err
		}
		s.Network, s.Addr = "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
		if err = s.start(); err == nil {
			return nil
		}
		s.Kill()
	}
	return err
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

func (s *Server) logFile() string { return filepath.Join(s.Dir, "redis.log") }

func (s *Server) start() error {
	argv := []string{"--save", "", "--appendonly", "no", "--daemonize", "no",
		"--dir", s.Dir, "--logfile", s.logFile(), "--loglevel", "warning",
		"--repl-diskless-sync-delay", "0"} // a master waits 5 s for more replicas before it serves the first
	if s.Network == "unix" {
		argv = append(argv, "--port", "0", "--unixsocket", s.Addr)
	} else {
		_, port, _ := net.SplitHostPort(s.Addr)
		argv = append(argv, "--bind", "127.0.0.1", "--port", port)
	}
	cmd := exec.Command(s.bin, append(argv, s.args...)...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.SysProcAttr = procAttr()
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start redis-server: %w", err)
	}
	exited := make(chan struct{})
	go func() {
		_ = cmd.Wait() // a killed server's status says nothing new
		close(exited)
	}()
	s.mu.Lock()
	s.cmd, s.exited = cmd, exited
	s.mu.Unlock()
	if err := s.waitReady(exited); err != nil {
		s.Kill()
		log, _ := os.ReadFile(s.logFile())
		return fmt.Errorf("redis-server on %s: %w\n%s%s", s.Addr, err, out.Bytes(), log)
	}
	return nil
}

// waitReady pings until this process, and no other that may have taken the port, answers.
func (s *Server) waitReady(exited <-chan struct{}) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	o := s.Options()
	o.MaxRetries = -1
	c := redis.NewClient(o)
	defer c.Close()
	pid := "process_id:" + strconv.Itoa(s.PID()) + "\r\n"
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for {
		if conn, err := net.Dial(s.Network, s.Addr); err == nil { // quiet while it is not up
			conn.Close()
			info, err := c.Info(ctx, "server").Result()
			if err == nil && bytes.Contains([]byte(info), []byte(pid)) {
				return nil
			}
			if err == nil {
				return errors.New("another server answers on its address")
			}
		}
		select {
		case <-exited:
			return errors.New("exited at once")
		case <-ctx.Done():
			return fmt.Errorf("not ready: %w", ctx.Err())
		case <-tick.C:
		}
	}
}

// PID is the process id of the running (or last) server.
func (s *Server) PID() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.cmd.Process.Pid
}

// Kill ends the server with SIGKILL and waits for its end. A second call does nothing.
func (s *Server) Kill() {
	s.mu.Lock()
	cmd, exited := s.cmd, s.exited
	s.mu.Unlock()
	if cmd == nil {
		return
	}
	_ = cmd.Process.Kill() // an error says that it has ended already
	<-exited
}

// Restart kills the server and starts it again, empty, on the same address.
func (s *Server) Restart(tb testing.TB) {
	tb.Helper()
	s.Kill()
	if err := s.start(); err != nil {
		tb.Fatal(err)
	}
}

// Pause suspends the process: connections stay open, nothing is answered.
func (s *Server) Pause(tb testing.TB) { tb.Helper(); s.signal(tb, "pause", Suspend) }

// Resume lets a paused process run on.
func (s *Server) Resume(tb testing.TB) { tb.Helper(); s.signal(tb, "resume", Continue) }

func (s *Server) signal(tb testing.TB, what string, send func(*os.Process) error) {
	tb.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := send(s.cmd.Process); err != nil {
		tb.Fatalf("%s redis-server %d: %v", what, s.cmd.Process.Pid, err)
	}
}

// Options are fresh go-redis options for this server, for the caller to change.
func (s *Server) Options() *redis.Options {
	return &redis.Options{Network: s.Network, Addr: s.Addr}
}

// Client is a client with default options, closed when the test ends.
func (s *Server) Client(tb testing.TB) *redis.Client {
	tb.Helper()
	c := redis.NewClient(s.Options())
	tb.Cleanup(func() { _ = c.Close() })
	return c
}
