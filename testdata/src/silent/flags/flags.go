// Package flags sets and clears a flag in sibling methods: the shape of a lock
// with a constant value, no TTL and a bare Del, and right.
package flags

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
)

type Queue struct{ rdb *redis.Client }

func (q *Queue) Pause(ctx context.Context, name string) error {
	ok, err := q.rdb.SetNX(ctx, "queue:"+name+":paused", "1", 0).Result()
	if err != nil || !ok {
		return err
	}
	return q.rdb.Publish(ctx, "queue:"+name, "paused").Err()
}

func (q *Queue) Unpause(ctx context.Context, name string) error {
	return q.rdb.Del(ctx, "queue:"+name+":paused").Err()
}

type Alerts struct{ rdb redis.Cmdable }

func (a *Alerts) Raise(ctx context.Context, rule string) (fresh bool, err error) {
	return a.rdb.SetNX(ctx, "alert:"+rule, time.Now().Unix(), 0).Result()
}

func (a *Alerts) Resolve(ctx context.Context, rule string) error {
	return a.rdb.Del(ctx, "alert:"+rule).Err()
}

func (a *Alerts) StartCooldown(ctx context.Context, rule string) bool {
	return a.rdb.SetNX(ctx, "alert:cooldown:"+rule, 1, 5*time.Minute).Val()
}

func (a *Alerts) ClearCooldown(ctx context.Context, rule string) {
	a.rdb.Del(ctx, "alert:cooldown:"+rule)
}

// Presence: joins, is kept alive, leaves.
type Room struct{ rdb *redis.Client }

func (r *Room) Join(ctx context.Context, user string) error {
	return r.rdb.SetNX(ctx, "room:online:"+user, time.Now().Unix(), time.Minute).Err()
}

func (r *Room) Ping(ctx context.Context, user string) error {
	return r.rdb.Expire(ctx, "room:online:"+user, time.Minute).Err()
}

func (r *Room) Leave(ctx context.Context, user string) error {
	return r.rdb.Del(ctx, "room:online:"+user).Err()
}
