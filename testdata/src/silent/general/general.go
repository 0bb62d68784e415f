// Package general has a sound lock in a type that serves all kinds of keys. The
// methods beside it take a bare key, and nothing says that it is the lock's.
package general

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
)

var release = redis.NewScript(`if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) else return 0 end`)

type Client struct{ c *redis.Client }

func (r *Client) AcquireLock(ctx context.Context, key, token string, ttl time.Duration) (bool, error) {
	return r.c.SetNX(ctx, key, token, ttl).Result()
}

func (r *Client) ReleaseLock(ctx context.Context, key, token string) error {
	return release.Run(ctx, r.c, []string{key}, token).Err()
}

func (r *Client) Delete(ctx context.Context, key string) error { return r.c.Del(ctx, key).Err() }

func (r *Client) Remove(ctx context.Context, keys ...string) error {
	return r.c.Del(ctx, keys...).Err()
}

func (r *Client) Expire(ctx context.Context, key string, ttl time.Duration) error {
	return r.c.Expire(ctx, key, ttl).Err()
}

// Touch has a word of renewing in its name, and renews whatever it is given.
func (r *Client) Touch(ctx context.Context, key string, ttl time.Duration) (bool, error) {
	return r.c.Expire(ctx, key, ttl).Result()
}

func (r *Client) RefreshSession(ctx context.Context, key string) error {
	return r.c.Expire(ctx, key, time.Hour).Err()
}

func (r *Client) Hit(ctx context.Context, key string, window time.Duration) (int64, error) {
	n, err := r.c.Incr(ctx, key).Result()
	if err == nil && n == 1 {
		r.c.Expire(ctx, key, window)
	}
	return n, err
}

// The lock has a key of its own here, and what it protects another one: that may
// be deleted and kept alive at will.
type Ledger struct{ c *redis.Client }

func (l *Ledger) lockKey(book string) string  { return "lock:" + book }
func (l *Ledger) pagesKey(book string) string { return "pages:" + book }

func (l *Ledger) Rewrite(ctx context.Context, book, token string, fn func()) bool {
	if !l.c.SetNX(ctx, l.lockKey(book), token, time.Minute).Val() {
		return false
	}
	defer release.Run(ctx, l.c, []string{l.lockKey(book)}, token)
	fn()
	l.c.Del(ctx, l.pagesKey(book))
	l.c.Expire(ctx, l.pagesKey(book), time.Hour)
	return true
}

// AdminRelease opens a ledger that a crashed writer left locked.
func (l *Ledger) AdminRelease(ctx context.Context, book string) error {
	return l.c.Del(ctx, l.lockKey(book)).Err()
}

// Whether to force is a parameter: the other branch compares.
type Vault struct {
	rdb        *redis.Client
	key, token string
}

func (v *Vault) Lock(ctx context.Context) (bool, error) {
	return v.rdb.SetNX(ctx, v.key, v.token, time.Minute).Result()
}

func (v *Vault) Unlock(ctx context.Context, force bool) error {
	if force {
		return v.rdb.Del(ctx, v.key).Err()
	}
	return release.Run(ctx, v.rdb, []string{v.key}, v.token).Err()
}

// Only the doc comment says that it is force.
func seal(ctx context.Context, rdb *redis.Client, box, owner string) (bool, error) {
	return rdb.SetNX(ctx, "box:lock:"+box, owner, time.Minute).Result()
}

func unseal(ctx context.Context, rdb *redis.Client, box, owner string) error {
	return release.Run(ctx, rdb, []string{"box:lock:" + box}, owner).Err()
}

// removeSeal forcibly removes the lock of a box, whoever holds it.
func removeSeal(ctx context.Context, rdb *redis.Client, box string) error {
	return rdb.Del(ctx, "box:lock:"+box).Err()
}
