package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

// A progress tells on a terminal what a long run is doing. Short runs, and runs
// without a terminal, see nothing of it.
type progress struct {
	w io.Writer

	mu    sync.Mutex
	what  string
	shown bool
	done  bool
}

// patience is how long a run may take before it says what it does.
const patience = time.Second

func newProgress(w io.Writer) *progress {
	p := &progress{w: w}
	if isTerminal(w) {
		time.AfterFunc(patience, func() {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.shown = true
			p.print()
		})
	} else {
		p.done = true
	}
	return p
}

func (p *progress) show(what string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.what = what
	if p.shown {
		p.print()
	}
}

func (p *progress) print() {
	if !p.done {
		fmt.Fprintf(p.w, "\r\x1b[Klocklint: %s ...", p.what)
	}
}

// clear wipes the line away; nothing is shown any more.
func (p *progress) clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown && !p.done {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
	p.done = true
}

// isTerminal reports whether w is a terminal that understands colours.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok || os.Getenv("TERM") == "dumb" {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// colors reports whether w should get colours (see no-color.org).
func colors(w io.Writer) bool { return os.Getenv("NO_COLOR") == "" && isTerminal(w) }
