// Package windows pipelines the same commands where nothing is exclusive: a sliding
// window, a counter, a value that is only put there.
package windows

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
)

// A sliding window: everybody may prolong it, and nobody asks who began it.
func visit(ctx context.Context, rdb *redis.Client, visitor string) error {
	p := rdb.Pipeline()
	p.SetNX(ctx, "visitor:"+visitor, time.Now().Unix(), 0)
	p.Expire(ctx, "visitor:"+visitor, 10*time.Minute)
	_, err := p.Exec(ctx)
	return err
}

// A counter that starts at 0.
func applaud(ctx context.Context, rdb *redis.Client, play string) (int64, error) {
	p := rdb.TxPipeline()
	p.SetNX(ctx, "applause:"+play, 0, 0)
	n := p.Incr(ctx, "applause:"+play)
	p.Expire(ctx, "applause:"+play, time.Hour)
	if _, err := p.Exec(ctx); err != nil {
		return 0, err
	}
	return n.Val(), nil
}

// The TTL is in the create already; the second one says the same.
func programme(ctx context.Context, rdb *redis.Client, play, text string) error {
	p := rdb.TxPipeline()
	p.SetNX(ctx, "programme:"+play, text, time.Hour)
	p.Expire(ctx, "programme:"+play, time.Hour)
	_, err := p.Exec(ctx)
	return err
}
