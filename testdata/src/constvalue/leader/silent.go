// Package leader elects a leader: one campaign loop a process, so the process IS
// the owner, and its id is a right value [C2, C6, F3].
package leader

import (
	"context"
	"crypto/rand"
	"os"
	"time"

	"github.com/redis/go-redis/v9"
)

const term = 15 * time.Second

var (
	resign = redis.NewScript(`if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) end return 0`)
	extend = redis.NewScript(`if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("pexpire", KEYS[1], ARGV[2]) end return 0`)
)

// The id is a field, set when the process starts.
type elector struct {
	rdb *redis.Client
	id  string
}

func newElector(rdb *redis.Client) *elector { return &elector{rdb: rdb, id: rand.Text()} }

func (e *elector) campaign(ctx context.Context) bool {
	if e.rdb.SetNX(ctx, "leader:reports", e.id, term).Val() {
		return true
	}
	n, err := extend.Run(ctx, e.rdb, []string{"leader:reports"}, e.id, term.Milliseconds()).Int()
	return err == nil && n == 1
}

func (e *elector) resign(ctx context.Context) error {
	return resign.Run(ctx, e.rdb, []string{"leader:reports"}, e.id).Err()
}

// The id is the host.
type candidate struct {
	rdb  redis.UniversalClient
	host string
}

func newCandidate(rdb redis.UniversalClient) *candidate {
	host, _ := os.Hostname()
	return &candidate{rdb: rdb, host: host}
}

func (c *candidate) run(ctx context.Context, lead func()) {
	tick := time.NewTicker(term / 3)
	defer tick.Stop()
	for {
		if c.rdb.SetNX(ctx, "leader:cleanup", c.host, term).Val() {
			lead()
		} else {
			extend.Run(ctx, c.rdb, []string{"leader:cleanup"}, c.host, term.Milliseconds())
		}
		select {
		case <-ctx.Done():
			resign.Run(context.WithoutCancel(ctx), c.rdb, []string{"leader:cleanup"}, c.host)
			return
		case <-tick.C:
		}
	}
}
