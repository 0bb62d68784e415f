package lockrt_test

import (
	"bytes"
	"context"
	"net"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/locklint/locklint/internal/redistest"
	"github.com/redis/go-redis/v9"
)

// A loss is what a proxy does to one command.
type loss int

const (
	loseReply   loss = iota + 1 // let the server apply it, then cut the connection
	stallReply                  // let the server apply it, then say nothing more on the connection
	loseRequest                 // cut the connection before the server has it
)

// A proxy stands between clients and a server, and does harm on request.
type proxy struct {
	listener net.Listener
	server   *redistest.Server
	dark     atomic.Bool // bytes of both directions are dropped

	mu    sync.Mutex
	plans []*plan
	conns map[net.Conn]bool
	wg    sync.WaitGroup
}

// A plan does harm to the next left commands of a name.
type plan struct {
	command string
	do      loss
	left    int
}

func newProxy(t testing.TB, s *redistest.Server) *proxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{listener: l, server: s, conns: map[net.Conn]bool{}}
	p.wg.Go(p.accept)
	t.Cleanup(func() {
		l.Close()
		p.cut()
		p.wg.Wait()
	})
	return p
}

func (p *proxy) addr() string { return p.listener.Addr().String() }

// options are those of a client that goes through the proxy.
func (p *proxy) options() *redis.Options { return &redis.Options{Addr: p.addr()} }

func (p *proxy) client(t testing.TB, change func(*redis.Options)) *redis.Client {
	t.Helper()
	o := p.options()
	if change != nil {
		change(o)
	}
	c := redis.NewClient(o)
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// dial is for options that take a Dialer: every address leads here.
func (p *proxy) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	var d net.Dialer
	return d.DialContext(ctx, "tcp", p.addr())
}

// harm plans a loss for the next n commands of this name, in lower case.
func (p *proxy) harm(command string, do loss, n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.plans = append(p.plans, &plan{command, do, n})
}

// pending is the number of losses that are planned and did not happen.
func (p *proxy) pending() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := 0
	for _, pl := range p.plans {
		n += pl.left
	}
	return n
}

// cut closes all connections.
func (p *proxy) cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.conns {
		c.Close()
	}
}

func (p *proxy) track(c net.Conn, on bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if on {
		p.conns[c] = true
	} else {
		delete(p.conns, c)
		c.Close()
	}
}

func (p *proxy) accept() {
	for {
		c, err := p.listener.Accept()
		if err != nil {
			return
		}
		p.track(c, true)
		p.wg.Go(func() { p.serve(c) })
	}
}

func (p *proxy) serve(client net.Conn) {
	defer p.track(client, false)
	server, err := net.Dial(p.server.Network, p.server.Addr)
	if err != nil {
		return
	}
	p.track(server, true)
	var fate atomic.Int32 // the loss that hit this connection
	p.wg.Go(func() {
		defer p.track(server, false)
		defer client.Close()
		p.replies(client, server, &fate)
	})
	defer server.Close()
	buf := make([]byte, 64<<10)
	for {
		n, err := client.Read(buf)
		if err != nil {
			return
		}
		if p.dark.Load() {
			continue
		}
		if do := p.planned(buf[:n]); do == loseRequest {
			return
		} else if do != 0 {
			fate.Store(int32(do)) // before the server can answer
		}
		if _, err := server.Write(buf[:n]); err != nil {
			return
		}
	}
}

func (p *proxy) replies(client, server net.Conn, fate *atomic.Int32) {
	buf := make([]byte, 64<<10)
	for {
		n, err := server.Read(buf)
		if err != nil {
			return
		}
		switch {
		case loss(fate.Load()) == loseReply:
			return
		case loss(fate.Load()) == stallReply || p.dark.Load():
			continue
		}
		if _, err := client.Write(buf[:n]); err != nil {
			return
		}
	}
}

// planned is the loss for a command in the request. A request is small enough to come
// in one read.
func (p *proxy) planned(request []byte) loss {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, pl := range p.plans {
		if pl.left > 0 && bytes.Contains(request, []byte("\r\n"+pl.command+"\r\n")) {
			pl.left--
			return pl.do
		}
	}
	return 0
}
