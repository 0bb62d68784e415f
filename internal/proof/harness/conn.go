package harness

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"sync"
)

// errDown is what a lost server gives.
var errDown error = &net.OpError{Op: "dial", Err: io.ErrClosedPipe}

// A gate counts the commands on the key over all connections, and stops the program
// or loses the server at one of them.
type gate struct {
	key       []byte
	stop, cut int
	in        *bufio.Reader
	out       io.Writer

	mu   sync.Mutex
	seen int
	down bool
}

func (g *gate) isDown() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.down
}

// upTo returns how much of what a client writes may be sent before the place of the
// stop or the cut, and whether it is there.
func (g *gate) upTo(b []byte) (int, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for from := 0; from < len(b); {
		to := from + command(b[from:])
		if len(g.key) > 0 && bytes.Contains(b[from:to], g.key) {
			g.seen++
			if g.seen == g.stop || g.seen == g.cut {
				return to, true
			}
		}
		from = to
	}
	return len(b), false
}

// reached stops the program, or loses the server.
func (g *gate) reached() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.seen == g.cut {
		g.down = true
		return
	}
	fmt.Fprintln(g.out, "stopped")
	if _, err := g.in.ReadString('\n'); err != nil {
		os.Exit(3) // the test is gone
	}
}

// A conn is a connection of a client to the server.
type conn struct {
	net.Conn
	*gate
	at   bool   // the place was reached: the next answer is the last one before it
	rest []byte // what is written after it
}

func (c *conn) Write(b []byte) (int, error) {
	if c.isDown() {
		return 0, errDown
	}
	n, at := c.upTo(b)
	if at {
		c.at, c.rest = true, bytes.Clone(b[n:])
	}
	if n, err := c.Conn.Write(b[:n]); err != nil {
		return n, err
	}
	return len(b), nil
}

func (c *conn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if err != nil || !c.at {
		return n, err
	}
	c.at = false
	c.reached()
	if len(c.rest) > 0 && !c.isDown() {
		_, err = c.Conn.Write(c.rest)
	}
	c.rest = nil
	return n, err
}

// command returns the length of the first command in b, an array of bulk strings.
func command(b []byte) int {
	line := func(at int, kind byte) (n, end int) {
		i := bytes.Index(b[at:], []byte("\r\n"))
		if i < 2 || b[at] != kind {
			return 0, -1
		}
		n, err := strconv.Atoi(string(b[at+1 : at+i]))
		if err != nil {
			return 0, -1
		}
		return n, at + i + 2
	}
	words, at := line(0, '*')
	for ; words > 0 && at > 0 && at < len(b); words-- {
		var n int
		if n, at = line(at, '$'); at > 0 {
			at += n + 2
		}
	}
	if at <= 0 || at > len(b) {
		return len(b)
	}
	return at
}
