// Package retry runs what may fail again.
package retry

// Do runs f until it succeeds.
func Do(f func() error) error {
	for range 3 {
		if f() == nil {
			return nil
		}
	}
	return f()
}

// Later keeps f.
func Later(f func()) {}
