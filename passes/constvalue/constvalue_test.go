package constvalue_test

import (
	"testing"

	"github.com/locklint/locklint/internal/linttest"
)

func TestPass(t *testing.T) {
	linttest.Run(t, "constvalue", "constvalue", "silent")
}
