//go:build !linux

package redistest

import "syscall"

// procAttr has nothing to add here: no signal at the parent's death.
func procAttr() *syscall.SysProcAttr { return nil }
