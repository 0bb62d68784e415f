package stale

import (
	"context"

	"github.com/redis/go-redis/v9"
)

var resign = redis.NewScript(`if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) end return 0`)

// Believes to lead, and asks Redis in the same step as it resigns.
type Bellboy struct {
	rdb    redis.UniversalClient
	id     string
	leader bool
}

func (b *Bellboy) campaign(ctx context.Context) (err error) {
	b.leader, err = b.rdb.SetNX(ctx, "bellboy:leader", b.id, ttl).Result()
	return err
}

func (b *Bellboy) retire(ctx context.Context) error {
	if !b.leader {
		return nil
	}
	b.leader = false
	return resign.Run(ctx, b.rdb, []string{"bellboy:leader"}, b.id).Err()
}
