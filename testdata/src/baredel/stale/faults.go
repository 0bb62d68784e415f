// Package stale looks at the lock and acts on what it saw: takes over what has
// expired, prolongs what is there, enters what is its own. Between the look and
// the act the lock may change hands.
package stale

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
)

const ttl = 5 * time.Minute

// The value is the deadline. Two that see it pass both delete, and the second of
// them deletes the lock that the first has just taken.
type Cleaner struct{ rdb *redis.Client }

func (c *Cleaner) Lock(ctx context.Context, room string) bool {
	key, now := "lock:room:"+room, time.Now().Unix()
	if ok, err := c.rdb.SetNX(ctx, key, now+60, ttl).Result(); err != nil || ok {
		return ok
	}
	deadline, err := c.rdb.Get(ctx, key).Int64()
	if err != nil || deadline > now {
		return false
	}
	c.rdb.Del(ctx, key) // want `release-unheld: `
	ok, _ := c.rdb.SetNX(ctx, key, now+60, ttl).Result()
	return ok
}

// That there is a lock is not to say that it is ours.
type Porter struct {
	rdb *redis.Client
	id  string
}

func (p *Porter) acquire(ctx context.Context, errand string) (bool, error) {
	return p.rdb.SetNX(ctx, fmt.Sprintf("errand:lock:%s", errand), p.id, ttl).Result()
}

func (p *Porter) renewLock(ctx context.Context, errand string) error {
	key := fmt.Sprintf("errand:lock:%s", errand)
	n, err := p.rdb.Exists(ctx, key).Result()
	if err != nil {
		return err
	}
	if n == 0 {
		return errors.New("lost")
	}
	return p.rdb.Expire(ctx, key, ttl).Err() // want `unowned-renew: `
}

// A look that is followed by nothing: who holds it, and for how long.
func (p *Porter) holder(ctx context.Context, errand string) (string, bool, error) {
	key := "errand:lock:" + errand
	who, err := p.rdb.Get(ctx, key).Result()
	if err != nil {
		return "", false, err
	}
	left, err := p.rdb.TTL(ctx, key).Result()
	return who, left > 0, err
}

// A lock that its owner may enter twice. The renewal asks nobody, and the release
// asks in two steps.
type Keeper struct {
	client     *redis.Client
	key, value string
	done       chan struct{}
}

func (k *Keeper) Lock(ctx context.Context) (bool, error) {
	ok, err := k.client.SetNX(ctx, k.key, k.value, ttl).Result()
	if err != nil {
		return false, err
	}
	if !ok {
		holder, err := k.client.Get(ctx, k.key).Result()
		if err != nil || holder != k.value {
			return false, err
		}
	}
	go k.prolong(context.WithoutCancel(ctx))
	return true, nil
}

func (k *Keeper) prolong(ctx context.Context) {
	for {
		select {
		case <-k.done:
			return
		case <-time.After(ttl / 3):
			k.client.Expire(ctx, k.key, ttl) // want `unowned-renew: `
		}
	}
}

func (k *Keeper) Unlock(ctx context.Context) {
	if k.value == k.client.Get(ctx, k.key).Val() {
		k.client.Del(ctx, k.key) // want `get-del-race: `
	}
}

// A leader that resigns when it is told to stop, on what it believed a while ago.
type Concierge struct {
	rdb    redis.UniversalClient
	id     string
	leader bool
	stop   chan struct{}
}

func (c *Concierge) run(ctx context.Context) {
	for {
		select {
		case <-time.After(ttl / 5):
			c.leader = c.rdb.SetNX(ctx, "concierge:leader", c.id, ttl).Val()
		case <-c.stop:
			if c.IsLeader() {
				c.rdb.Del(context.WithoutCancel(ctx), "concierge:leader") // want `unowned-release: `
			}
			return
		}
	}
}

func (c *Concierge) IsLeader() bool { return c.leader }
