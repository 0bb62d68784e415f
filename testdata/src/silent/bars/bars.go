// Package bars bars accounts, and says "lock" for it. Nothing is exclusive here:
// who sets the flag does not learn, or does not care, whether it stood already, and
// whoever lifts it may do so whoever set it [F7].
package bars

import (
	"context"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

const limit = 5

// Too many failed logins. NX only keeps the first TTL; a good login clears the
// counter and the flag together.
type Gate struct{ rdb *redis.Client }

func (g *Gate) Fail(ctx context.Context, user string) error {
	n, err := g.rdb.Incr(ctx, "login:fail:"+user).Result()
	if err != nil {
		return err
	}
	if n >= limit {
		g.rdb.SetNX(ctx, "login:lock:"+user, 1, 15*time.Minute)
	}
	return nil
}

func (g *Gate) Locked(ctx context.Context, user string) bool {
	return g.rdb.Exists(ctx, "login:lock:"+user).Val() == 1
}

func (g *Gate) Reset(ctx context.Context, user string) {
	g.rdb.Del(ctx, "login:fail:"+user, "login:lock:"+user)
}

// The same with SetArgs, where "stood already" is an error that is put aside.
type Desk struct{ client *redis.Client }

func (d *Desk) lockKey(card string) string { return "signin:lock:" + card }
func (d *Desk) failKey(card string) string { return "signin:fail:" + card }

func (d *Desk) RecordFailure(ctx context.Context, card string) (int64, error) {
	n, err := d.client.Incr(ctx, d.failKey(card)).Result()
	if err != nil || n < limit {
		return n, err
	}
	args := redis.SetArgs{Mode: "NX", TTL: time.Hour}
	if err := d.client.SetArgs(ctx, d.lockKey(card), "1", args).Err(); err != nil && !errors.Is(err, redis.Nil) {
		return 0, err
	}
	return n, nil
}

func (d *Desk) Clear(ctx context.Context, card string) error {
	return d.client.Del(ctx, d.failKey(card), d.lockKey(card)).Err()
}

// An administrator bars a reader. The value is the reason, and the reply to the
// create is not looked at: this method could not tell anybody "busy".
type Readers struct{ rdb *redis.Client }

func (r *Readers) LockAccount(ctx context.Context, reader, reason string) error {
	return r.rdb.SetNX(ctx, "reader:barred:"+reader, reason, 24*time.Hour).Err()
}

func (r *Readers) UnlockAccount(ctx context.Context, reader string) error {
	return r.rdb.Del(ctx, "reader:barred:"+reader).Err()
}

// The same, asked by others.
func (r *Readers) LockCard(ctx context.Context, card, reason string) error {
	return r.rdb.SetNX(ctx, "card:locked:"+card, reason, 24*time.Hour).Err()
}

func (r *Readers) IsCardLocked(ctx context.Context, card string) bool {
	return r.rdb.Exists(ctx, "card:locked:"+card).Val() > 0
}

func (r *Readers) UnlockCard(ctx context.Context, card string) error {
	return r.rdb.Del(ctx, "card:locked:"+card).Err()
}

// Words that hold "lock" and mean something else.
func (r *Readers) AddBlock(ctx context.Context, reader string) error {
	return r.rdb.SetNX(ctx, "block:reader:"+reader, 1, time.Hour).Err()
}

func (r *Readers) Unblock(ctx context.Context, reader string) error {
	return r.rdb.Del(ctx, "block:reader:"+reader).Err()
}

// Unlocked for good is what a badge is, and a reset takes it away.
func (r *Readers) UnlockBadge(ctx context.Context, reader, badge string) (bool, error) {
	return r.rdb.SetNX(ctx, "badge:unlocked:"+reader+":"+badge, time.Now().Unix(), 0).Result()
}

func (r *Readers) ResetBadge(ctx context.Context, reader, badge string) error {
	return r.rdb.Del(ctx, "badge:unlocked:"+reader+":"+badge).Err()
}

// Copies held for an order: the value is how many, and giving them back reads it.
type Stock struct{ rdb *redis.Client }

func (s *Stock) LockCopies(ctx context.Context, order string, copies int) error {
	ok, err := s.rdb.SetNX(ctx, "copies:lock:"+order, copies, 30*time.Minute).Result()
	if err != nil || !ok {
		return err
	}
	return s.rdb.DecrBy(ctx, "copies", int64(copies)).Err()
}

func (s *Stock) UnlockCopies(ctx context.Context, order string) error {
	n, err := s.rdb.Get(ctx, "copies:lock:"+order).Int64()
	if err != nil {
		return err
	}
	if err := s.rdb.IncrBy(ctx, "copies", n).Err(); err != nil {
		return err
	}
	return s.rdb.Del(ctx, "copies:lock:"+order).Err()
}
