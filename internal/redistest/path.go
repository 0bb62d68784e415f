package redistest

import (
	"os"
	"os/exec"
	"testing"
)

// Path returns the redis-server program. Without one it skips the test, or fails it
// where LOCKLINT_REQUIRE_REDIS=1.
func Path(tb testing.TB) string {
	tb.Helper()
	bin, err := lookPath()
	if err == nil {
		return bin
	}
	Missing(tb, "needs a real redis-server: install it (apt-get install redis-server, brew install redis) "+
		"or name it in $REDIS_SERVER: %v", err)
	return ""
}

// Missing ends a test for want of what it cannot make itself: it skips the test, or fails
// it where LOCKLINT_REQUIRE_REDIS=1. The message says what is missing and how to get it.
func Missing(tb testing.TB, format string, args ...any) {
	tb.Helper()
	if required() {
		tb.Fatalf("LOCKLINT_REQUIRE_REDIS=1, so nothing may be skipped: "+format, args...)
	}
	tb.Skipf(format, args...)
}

func required() bool { return os.Getenv("LOCKLINT_REQUIRE_REDIS") == "1" }

func lookPath() (string, error) {
	if bin := os.Getenv("REDIS_SERVER"); bin != "" {
		return exec.LookPath(bin)
	}
	return exec.LookPath("redis-server")
}
