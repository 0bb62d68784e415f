//go:build !unix

package redistest

import (
	"errors"
	"os"
)

// Suspend is not to be had here.
func Suspend(*os.Process) error { return errors.ErrUnsupported }

// Continue is not to be had here.
func Continue(*os.Process) error { return errors.ErrUnsupported }
