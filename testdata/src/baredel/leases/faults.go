// Package leases hands the lock out as an object or as functions, and renews or
// frees it through these without an owner check.
package leases

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

const ttl = 30 * time.Second

var (
	errBusy = errors.New("busy")
	errLost = errors.New("lost")
	release = redis.NewScript(`if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) end return 0`)
)

// The client obtains, the handle frees and renews; key and token are copied from
// one type to the other.
type Depot struct{ client redis.UniversalClient }

type Claim struct {
	client     redis.UniversalClient
	key, token string
	stop       chan struct{}
}

func (d *Depot) Obtain(ctx context.Context, key, token string) (*Claim, error) {
	ok, err := d.obtain(ctx, key, token)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, errBusy
	}
	c := &Claim{client: d.client, key: key, token: token, stop: make(chan struct{})}
	go c.keep(context.WithoutCancel(ctx))
	return c, nil
}

func (d *Depot) obtain(ctx context.Context, key, token string) (bool, error) {
	return d.client.SetNX(ctx, key, token, ttl).Result()
}

func (c *Claim) keep(ctx context.Context) {
	for {
		select {
		case <-c.stop:
			return
		case <-time.After(ttl / 3):
			c.client.Expire(ctx, c.key, ttl) // want `unowned-renew: `
		}
	}
}

func (c *Claim) Refresh(ctx context.Context, d time.Duration) error {
	return c.client.Expire(ctx, c.key, d).Err() // want `unowned-renew: `
}

func (c *Claim) Release(ctx context.Context) error {
	close(c.stop)
	return c.client.Del(ctx, c.key).Err() // want `unowned-release: `
}

// Two functions in a struct: one compares, the other does not.
type Lease struct{ Release, Refresh func(context.Context) error }

func lend(ctx context.Context, rdb *redis.Client, tool, owner string) (*Lease, error) {
	lockKey := "lock:{" + tool + "}"
	ok, err := rdb.SetNX(ctx, lockKey, owner, ttl).Result()
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, errBusy
	}
	free := func(ctx context.Context) error {
		return release.Run(ctx, rdb, []string{lockKey}, owner).Err()
	}
	refresh := func(ctx context.Context) error {
		ok, err := rdb.Expire(ctx, lockKey, ttl).Result() // want `unowned-renew: `
		if err == nil && !ok {
			err = errLost
		}
		return err
	}
	return &Lease{Release: free, Refresh: refresh}, nil
}

// Only the function that renews is handed out.
func rent(ctx context.Context, rdb *redis.Client, van, token string) func() error {
	key := "van:lock:" + van
	ok, err := rdb.SetNX(ctx, key, token, ttl).Result()
	if err != nil || !ok {
		return nil
	}
	return func() error { return rdb.Expire(ctx, key, ttl).Err() } // want `unowned-renew: `
}

// Behind an interface of the package: the methods pass through, and the function
// with the loop knows the lock only as a parameter.
type Locker interface {
	SetNX(ctx context.Context, key string, v any, ttl time.Duration) (bool, error)
	Unlock(ctx context.Context, key string, v any) (bool, error)
	Expire(ctx context.Context, key string, ttl time.Duration) (bool, error)
}

type backend struct{ rdb redis.UniversalClient }

func (b *backend) SetNX(ctx context.Context, key string, v any, ttl time.Duration) (bool, error) {
	return b.rdb.SetNX(ctx, key, v, ttl).Result()
}

func (b *backend) Unlock(ctx context.Context, key string, v any) (bool, error) {
	n, err := release.Run(ctx, b.rdb, []string{key}, v).Int()
	return n == 1, err
}

func (b *backend) Expire(ctx context.Context, key string, ttl time.Duration) (bool, error) {
	return b.rdb.Expire(ctx, key, ttl).Result()
}

type Loan struct {
	Key, Owner string
	Do         func() error
}

func Exclusive(ctx context.Context, l Locker, loan Loan) error {
	ok, err := l.SetNX(ctx, loan.Key, loan.Owner, ttl)
	if err != nil || !ok {
		return errBusy
	}
	defer l.Unlock(context.WithoutCancel(ctx), loan.Key, loan.Owner)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	follow(ctx, l, loan.Key)
	return loan.Do()
}

func follow(ctx context.Context, l Locker, lockKey string) {
	go func() {
		for {
			select {
			case <-ctx.Done():
				return
			case <-time.After(ttl / 3):
				_, _ = l.Expire(ctx, lockKey, ttl) // want `unowned-renew: `
			}
		}
	}()
}

// The key is the lock: a string with methods.
type Shelf string

func (s Shelf) Acquire(ctx context.Context, rdb *redis.Client, token string) bool {
	return rdb.SetNX(ctx, string(s), token, ttl).Val()
}

func (s Shelf) Release(ctx context.Context, rdb *redis.Client) {
	rdb.Del(ctx, string(s)) // want `unowned-release: `
}

// A constructor acquires, a function frees.
type BoxLock struct {
	c   *redis.Client
	Key string
}

func NewBoxLock(ctx context.Context, c *redis.Client, key, token string) *BoxLock {
	ok, err := c.SetNX(ctx, key, token, ttl).Result()
	if err != nil || !ok {
		return nil
	}
	return &BoxLock{c, key}
}

func Unlock(ctx context.Context, l *BoxLock) { l.c.Del(ctx, l.Key) } // want `unowned-release: `

// The key is built by a function that a field holds.
type Crates struct {
	c     *redis.Client
	keyOf func(string) string
}

func (r *Crates) Lock(ctx context.Context, id, token string) bool {
	return r.c.SetNX(ctx, r.keyOf(id), token, ttl).Val()
}

func (r *Crates) Unlock(ctx context.Context, id string) {
	r.c.Del(ctx, r.keyOf(id)) // want `unowned-release: `
}

// The owner is compared in memory. The memory of this process still says "mine"
// when the TTL has run out in Redis.
type Pallets struct {
	c    *redis.Client
	mine sync.Map
}

func (p *Pallets) Lock(ctx context.Context, key, token string) bool {
	if !p.c.SetNX(ctx, key, token, ttl).Val() {
		return false
	}
	p.mine.Store(key, token)
	return true
}

func (p *Pallets) Unlock(ctx context.Context, key, token string) {
	if v, ok := p.mine.Load(key); !ok || v.(string) != token {
		return
	}
	p.c.Del(ctx, key) // want `unowned-release: `
	p.mine.Delete(key)
}

// A flag in place of the token says no more than that there was a lock once.
type Hoist struct {
	c      *redis.Client
	key    string
	locked bool
}

func NewHoist(c *redis.Client, name string) *Hoist { return &Hoist{c: c, key: "mutex:" + name} }

func (h *Hoist) Acquire(ctx context.Context, token string) error {
	ok, err := h.c.SetNX(ctx, h.key, token, ttl).Result()
	if err != nil {
		return err
	}
	if !ok {
		return errBusy
	}
	h.locked = true
	return nil
}

func (h *Hoist) Release(ctx context.Context) error {
	if !h.locked {
		return nil
	}
	h.locked = false
	return h.c.Del(ctx, h.key).Err() // want `unowned-release: `
}

// The connection comes from a pool, one call each.
type Sites struct{ pool map[string]*redis.Client }

func (s *Sites) conn(site string) (*redis.Client, error) {
	if c, ok := s.pool[site]; ok {
		return c, nil
	}
	return nil, fmt.Errorf("no redis at %s", site)
}

func (s *Sites) TryLock(ctx context.Context, site string, bin int64, token string) (bool, error) {
	c, err := s.conn(site)
	if err != nil {
		return false, err
	}
	return c.SetNX(ctx, "bin:lock:"+strconv.FormatInt(bin, 10), token, ttl).Result()
}

func (s *Sites) Unlock(ctx context.Context, site string, bin int64) error {
	c, err := s.conn(site)
	if err != nil {
		return err
	}
	return c.Del(ctx, fmt.Sprintf("bin:lock:%d", bin)).Err() // want `unowned-release: `
}
