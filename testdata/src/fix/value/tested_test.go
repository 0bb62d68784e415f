package value

import "testing"

func TestTested(t *testing.T) {
	if testedValue == "" {
		t.Error("no value")
	}
}
