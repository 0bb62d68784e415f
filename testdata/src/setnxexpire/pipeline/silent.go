package pipeline

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
)

// The TTL is in SetNX, the Expire is for another key [A3].
func lockBay(ctx context.Context, rdb *redis.Client, bay, token string) (bool, error) {
	pipe := rdb.Pipeline()
	won := pipe.SetNX(ctx, "lock:bay:"+bay, token, 30*time.Second)
	pipe.Incr(ctx, "stats:bay:"+bay)
	pipe.Expire(ctx, "stats:bay:"+bay, time.Hour)
	_, err := pipe.Exec(ctx)
	return won.Val(), err
}

// MULTI and EXPIRE NX: losers leave the TTL alone [A4].
func lockGate(ctx context.Context, rdb *redis.Client, gate, token string) (bool, error) {
	pipe := rdb.TxPipeline()
	won := pipe.SetNX(ctx, "lock:gate:"+gate, token, 0)
	pipe.ExpireNX(ctx, "lock:gate:"+gate, 30*time.Second)
	_, err := pipe.Exec(ctx)
	return won.Val(), err
}

// The same in a callback.
func lockDoor(ctx context.Context, rdb redis.UniversalClient, door, token string) (bool, error) {
	var won *redis.BoolCmd
	_, err := rdb.TxPipelined(ctx, func(p redis.Pipeliner) error {
		won = p.SetNX(ctx, "lock:door:"+door, token, 0)
		p.ExpireNX(ctx, "lock:door:"+door, time.Minute)
		return nil
	})
	return won.Val(), err
}
