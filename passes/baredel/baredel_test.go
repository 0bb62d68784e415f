package baredel_test

import (
	"testing"

	"github.com/locklint/locklint/internal/config"
	"github.com/locklint/locklint/internal/linttest"
)

func Test(t *testing.T) {
	linttest.Run(t, config.Default(), "baredel", "baredel", "silent")
}
