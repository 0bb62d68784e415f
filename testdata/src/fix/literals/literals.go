// Package literals has handles whose literals stand in files that are not part of the
// analysis: a new field would break those that do not name the fields.
package literals

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
)

const ttl = time.Minute

// The tests write them as elements of a list.
type lease struct {
	rdb *redis.Client
	key string
}

type leases []lease

func acquireLease(ctx context.Context, rdb *redis.Client, id string) *lease {
	key := "lease:lock:" + id
	if !rdb.SetNX(ctx, key, "1", ttl).Val() {
		return nil
	}
	return &lease{rdb: rdb, key: key}
}

func (l *lease) free(ctx context.Context) { l.rdb.Del(ctx, l.key) }

// Another platform does, in a map with another name.
type claim struct {
	rdb *redis.Client
	key string
}

type (
	claims map[string]*claim
	table  = claims
)

func acquireClaim(ctx context.Context, rdb *redis.Client, id string) *claim {
	key := "claim:lock:" + id
	if !rdb.SetNX(ctx, key, "1", ttl).Val() {
		return nil
	}
	return &claim{rdb: rdb, key: key}
}

func (c *claim) free(ctx context.Context) { c.rdb.Del(ctx, c.key) }

// A word of a comment, a method and a field there are not the type.
type permit struct {
	rdb *redis.Client
	key string
}

func acquirePermit(ctx context.Context, rdb *redis.Client, id string) *permit {
	key := "permit:lock:" + id
	if !rdb.SetNX(ctx, key, "1", ttl).Val() {
		return nil
	}
	return &permit{rdb: rdb, key: key}
}

func (p *permit) free(ctx context.Context) { p.rdb.Del(ctx, p.key) }

// A struct that embeds the handle has a token already: a new field of that name would
// come before it.
type ticket struct {
	rdb *redis.Client
	key string
}

func acquireTicket(ctx context.Context, rdb *redis.Client, id string) *ticket {
	key := "ticket:lock:" + id
	if !rdb.SetNX(ctx, key, "1", ttl).Val() {
		return nil
	}
	return &ticket{rdb: rdb, key: key}
}

func (t *ticket) free(ctx context.Context) { t.rdb.Del(ctx, t.key) }

type auth struct{ token string }

type creds struct{ auth }

type session struct {
	*ticket
	creds
}

func (s *session) login() string { return s.token }
