package output

import "path/filepath"

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
