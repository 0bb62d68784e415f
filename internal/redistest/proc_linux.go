package redistest

import "syscall"

// procAttr ties a server to the test process: a test that panics or runs into its
// time limit runs no cleanup, and would leave its servers behind.
func procAttr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}
