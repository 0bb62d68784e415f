package output

import (
	"os"
	"path/filepath"
)

// Rel names a file relative to base if it lies below it.
func Rel(base, file string) string {
	if base == "" {
		return file
	}
	if rel, err := filepath.Rel(base, file); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return file
}

// RepositoryRoot is the nearest directory at or above dir that has a .git, or dir
// itself. Code hosts want paths relative to it.
func RepositoryRoot(dir string) string {
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			return at
		}
		if at == filepath.Dir(at) {
			return dir
		}
	}
}
