package redistest

import (
	"testing"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"
)

// Functional returns options for a server that serves plain functional tests: a real
// redis-server, or miniredis where none is installed. A miniredis key does not expire
// as time passes, so tests of expiry need [Start].
func Functional(tb testing.TB) *redis.Options {
	tb.Helper()
	if _, err := lookPath(); err == nil || required() {
		return Start(tb).Options()
	}
	return &redis.Options{Addr: miniredis.RunT(tb).Addr()}
}
