package redistest

import (
	"context"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"
)

const slots = 16384

// A Cluster is three masters on loopback that share all slots.
type Cluster struct {
	Nodes [3]*Server
	ids   [3]string // node ids, index as Nodes
}

// StartCluster runs the three servers, joins them and returns when all of them call
// the cluster complete.
func StartCluster(tb testing.TB, args ...string) *Cluster {
	tb.Helper()
	c := new(Cluster)
	ctx := context.Background()
	for i := range c.Nodes {
		s := StartClusterNode(tb, args...)
		c.Nodes[i] = s
		cl := s.Client(tb)
		from, to := slots*i/3, slots*(i+1)/3-1
		if err := cl.Do(ctx, "cluster", "addslotsrange", from, to).Err(); err != nil {
			tb.Fatal(err)
		}
		if err := cl.Do(ctx, "cluster", "set-config-epoch", i+1).Err(); err != nil {
			tb.Fatal(err)
		}
		id, err := cl.Do(ctx, "cluster", "myid").Text()
		if err != nil {
			tb.Fatal(err)
		}
		c.ids[i] = id
	}
	first := c.Nodes[0].Client(tb)
	for _, s := range c.Nodes[1:] {
		host, port, _ := net.SplitHostPort(s.Addr)
		if err := first.Do(ctx, "cluster", "meet", host, port, s.busPort()).Err(); err != nil {
			tb.Fatal(err)
		}
	}
	for _, s := range c.Nodes {
		cl := s.Client(tb)
		WaitFor(tb, "the cluster to be complete on "+s.Addr, func(ctx context.Context) bool {
			info := cl.ClusterInfo(ctx).Val()
			return strings.Contains(info, "cluster_state:ok") && strings.Contains(info, "cluster_known_nodes:3")
		})
	}
	return c
}

// StartClusterNode runs a server in cluster mode that knows no other node and owns no slot.
func StartClusterNode(tb testing.TB, args ...string) *Server {
	tb.Helper()
	s := newServer(tb, Path(tb), nil)
	var err error
	for range 5 { // another process may take the second port as well
		var bus int
		if bus, err = freePort(); err != nil {
			tb.Fatal(err)
		}
		s.args = append([]string{"--cluster-enabled", "yes", "--cluster-node-timeout", "5000",
			"--cluster-port", strconv.Itoa(bus)}, args...)
		if err = s.startOnFreePort(); err == nil {
			return s
		}
	}
	tb.Fatal(err)
	return nil
}

func (s *Server) busPort() string {
	for i, a := range s.args {
		if a == "--cluster-port" {
			return s.args[i+1]
		}
	}
	return ""
}

// Client is a cluster client, closed when the test ends.
func (c *Cluster) Client(tb testing.TB) *redis.ClusterClient {
	tb.Helper()
	cl := redis.NewClusterClient(&redis.ClusterOptions{Addrs: c.Addrs()})
	tb.Cleanup(func() { _ = cl.Close() })
	return cl
}

// Addrs are the three masters' addresses.
func (c *Cluster) Addrs() []string {
	addrs := make([]string, len(c.Nodes))
	for i, s := range c.Nodes {
		addrs[i] = s.Addr
	}
	return addrs
}

// Owner is the index of the node that serves key, by that node's own word.
func (c *Cluster) Owner(tb testing.TB, key string) int {
	tb.Helper()
	slot := int64(c.slot(tb, key))
	ctx := context.Background()
	for i, s := range c.Nodes {
		shards, err := s.Client(tb).ClusterShards(ctx).Result()
		if err != nil {
			tb.Fatal(err)
		}
		for _, shard := range shards {
			serves := slices.ContainsFunc(shard.Slots, func(r redis.SlotRange) bool { return r.Start <= slot && slot <= r.End })
			if serves && slices.ContainsFunc(shard.Nodes, func(n redis.Node) bool { return n.ID == c.ids[i] }) {
				return i
			}
		}
	}
	tb.Fatalf("no node owns slot %d", slot)
	return -1
}

func (c *Cluster) slot(tb testing.TB, key string) int {
	tb.Helper()
	n, err := c.Nodes[0].Client(tb).ClusterKeySlot(context.Background(), key).Result()
	if err != nil {
		tb.Fatal(err)
	}
	return int(n)
}

// A Migration moves key's slot from one node to another in steps, so that a test can
// act while the slot is half moved (requests meet ASK) and after it (MOVED).
type Migration struct {
	c        *Cluster
	slot     int
	from, to int
}

// Migrate marks key's slot as migrating to another node.
func (c *Cluster) Migrate(tb testing.TB, key string) *Migration {
	tb.Helper()
	from := c.Owner(tb, key)
	m := &Migration{c: c, slot: c.slot(tb, key), from: from, to: (from + 1) % len(c.Nodes)}
	m.setSlot(tb, m.to, "importing", c.ids[m.from])
	m.setSlot(tb, m.from, "migrating", c.ids[m.to])
	return m
}

// MoveKeys moves the slot's keys; requests for them are now answered with ASK.
func (m *Migration) MoveKeys(tb testing.TB) {
	tb.Helper()
	ctx := context.Background()
	src := m.c.Nodes[m.from].Client(tb)
	keys, err := src.ClusterGetKeysInSlot(ctx, m.slot, 1000).Result()
	if err != nil {
		tb.Fatal(err)
	}
	host, port, _ := net.SplitHostPort(m.c.Nodes[m.to].Addr)
	for _, k := range keys {
		if err := src.Do(ctx, "migrate", host, port, k, 0, 5000).Err(); err != nil {
			tb.Fatal(fmt.Errorf("migrate %q: %w", k, err))
		}
	}
}

// Finish gives the slot to its new node; requests to the old one are answered with MOVED.
func (m *Migration) Finish(tb testing.TB) {
	tb.Helper()
	for _, n := range []int{m.to, m.from, 3 - m.to - m.from} {
		m.setSlot(tb, n, "node", m.c.ids[m.to])
	}
}

func (m *Migration) setSlot(tb testing.TB, node int, state, id string) {
	tb.Helper()
	if err := m.c.Nodes[node].Client(tb).Do(context.Background(), "cluster", "setslot", m.slot, state, id).Err(); err != nil {
		tb.Fatal(fmt.Errorf("setslot %d %s on node %d: %w", m.slot, state, node, err))
	}
}
