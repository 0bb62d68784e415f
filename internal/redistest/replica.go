package redistest

import (
	"context"
	"net"
	"testing"

	"github.com/redis/go-redis/v9"
)

// StartReplica runs a server that replicates from the master at addr (host:port, of
// the master or of a proxy before it) and returns when the link is up.
func StartReplica(tb testing.TB, addr string, args ...string) *Server {
	tb.Helper()
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		tb.Fatalf("replica of %q: %v", addr, err)
	}
	s := StartTCP(tb, append([]string{"--replicaof", host, port}, args...)...)
	c := s.Client(tb)
	WaitFor(tb, "the replication link", func(ctx context.Context) bool {
		return c.InfoMap(ctx, "replication").Item("Replication", "master_link_status") == "up"
	})
	return s
}

// Promote makes a replica a master of its own.
func (s *Server) Promote(tb testing.TB) {
	tb.Helper()
	c := redis.NewClient(s.Options())
	defer c.Close()
	if err := c.Do(context.Background(), "replicaof", "no", "one").Err(); err != nil {
		tb.Fatalf("promote %s: %v", s.Addr, err)
	}
}
