//go:build unix

package redistest

import (
	"os"
	"syscall"
)

// Suspend stops a process where it is, until Continue.
func Suspend(p *os.Process) error { return p.Signal(syscall.SIGSTOP) }

// Continue lets a suspended process run on.
func Continue(p *os.Process) error { return p.Signal(syscall.SIGCONT) }
