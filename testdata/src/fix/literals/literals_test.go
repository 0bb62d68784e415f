package literals

import "testing"

// A permit is not written here.
func TestLeases(t *testing.T) {
	ls := leases{{nil, "a"}, {nil, "b"}}
	var s struct{ permit bool }
	if len(ls) != 2 || s.permit {
		t.Fatal(ls)
	}
}
