// Package plain extends keys that are no locks, or extends locks the right way.
package plain

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
)

// A sliding debounce window: anybody may extend it.
func debounce(ctx context.Context, rdb *redis.Client, user string) (bool, error) {
	key := "debounce:" + user
	fresh, err := rdb.SetNX(ctx, key, "pending", time.Minute).Result()
	if err != nil || fresh {
		return fresh, err
	}
	return false, rdb.Expire(ctx, key, time.Minute).Err()
}

// A session lives as long as it is used.
func visit(ctx context.Context, rdb *redis.Client, session string) (string, error) {
	key := "session:" + session
	user, err := rdb.Get(ctx, key).Result()
	if err != nil {
		return "", err
	}
	return user, rdb.Expire(ctx, key, 30*time.Minute).Err()
}

// Presence: every node keeps its own entry alive.
type presence struct {
	rdb  redis.UniversalClient
	node string
}

func (p *presence) run(ctx context.Context) {
	key := "presence:" + p.node
	p.rdb.Set(ctx, key, time.Now().Unix(), 15*time.Second)
	tick := time.NewTicker(5 * time.Second)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			p.rdb.Expire(ctx, key, 15*time.Second)
		}
	}
}

// A set of readers, kept while there are any.
func (p *presence) read(ctx context.Context, doc string) {
	p.rdb.SAdd(ctx, "readers:"+doc, p.node)
	p.rdb.Expire(ctx, "readers:"+doc, time.Minute)
}

// A marker is promoted once: it had a TTL and gets a longer one.
func apply(ctx context.Context, rdb *redis.Client, migration string, fn func() error) error {
	key := "applied:" + migration
	ok, err := rdb.SetNX(ctx, key, "started", 5*time.Minute).Result()
	if err != nil || !ok {
		return err
	}
	if err := fn(); err != nil {
		return err
	}
	return rdb.Expire(ctx, key, 30*24*time.Hour).Err()
}

// A ticker on a bare key: no create, no name, nothing to go by.
func heartbeat(ctx context.Context, rdb *redis.Client, key string) {
	for ctx.Err() == nil {
		time.Sleep(time.Second)
		rdb.Expire(ctx, key, 3*time.Second)
	}
}

// An owner-checked renewal in a goroutine, of a lock that has a TTL [A6].
var extend = redis.NewScript(`if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("pexpire", KEYS[1], ARGV[2]) else return 0 end`)

type Lease struct {
	rdb        *redis.Client
	key, token string
}

func (l *Lease) Acquire(ctx context.Context) (bool, error) {
	ok, err := l.rdb.SetNX(ctx, l.key, l.token, 30*time.Second).Result()
	if err == nil && ok {
		go l.watch(ctx)
	}
	return ok, err
}

func (l *Lease) watch(ctx context.Context) {
	tick := time.NewTicker(10 * time.Second)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			n, err := extend.Run(ctx, l.rdb, []string{l.key}, l.token, (30 * time.Second).Milliseconds()).Int()
			if err != nil || n == 0 {
				return
			}
		}
	}
}

// Asked for once, by the caller [E2].
func (l *Lease) Extend(ctx context.Context, ttl time.Duration) bool {
	n, err := extend.Run(ctx, l.rdb, []string{l.key}, l.token, ttl.Milliseconds()).Int()
	return err == nil && n == 1
}
