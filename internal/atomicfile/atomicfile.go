// Package atomicfile replaces files as a whole: a reader, or a crash, sees the old
// content or the new, nothing between.
package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Write puts data into the file name, which keeps its permissions, and is created
// with 0644 if it does not exist. A symbolic link is followed. A file without
// permission to write is refused, although its directory might allow a rename.
func Write(name string, data []byte) (err error) {
	mode := fs.FileMode(0o644)
	if real, err := filepath.EvalSymlinks(name); err == nil {
		name = real
	}
	switch info, err := os.Stat(name); {
	case err == nil && !info.Mode().IsRegular():
		return fmt.Errorf("%s: not a regular file", name)
	case err == nil && info.Mode().Perm()&0o200 == 0:
		return fmt.Errorf("%s: the file is read-only; nothing written to it", name)
	case err == nil:
		mode = info.Mode().Perm()
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(name), ".locklint-*")
	if err != nil {
		return fmt.Errorf("%s: nothing written to it: %w", name, err)
	}
	defer func() {
		if err != nil {
			tmp.Close()
			os.Remove(tmp.Name())
			err = fmt.Errorf("%s: nothing written to it: %w", name, err)
		}
	}()
	if _, err = tmp.Write(data); err != nil {
		return err
	}
	if err = tmp.Chmod(mode); err != nil {
		return err
	}
	if err = tmp.Sync(); err != nil {
		return err
	}
	if err = tmp.Close(); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), name)
}
